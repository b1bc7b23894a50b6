import { useRef } from "react";
import type { Image } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

export interface Attachment extends Image {
  readonly name: string;
}

const TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_IMAGES = 20;
/** The model's API accepts 5 MB per image in base64; the daemon accepts 16 MB per message. */
const MAX_BYTES = 3_700_000;

/** Reads the images among files, and returns the names of the rest. */
export async function readImages(
  files: Iterable<File>,
  attached: readonly Attachment[],
): Promise<{ readonly images: readonly Attachment[]; readonly refused: readonly string[] }> {
  const images = [...attached];
  const refused: string[] = [];
  for (const file of files) {
    const isAccepted = TYPES.includes(file.type) && file.size <= MAX_BYTES && images.length < MAX_IMAGES;
    if (isAccepted) images.push(await toAttachment(file));
    else refused.push(file.name);
  }
  return { images, refused };
}

function toAttachment(file: File): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.onload = () => {
      const dataUrl = reader.result as string;
      const data = dataUrl.slice(dataUrl.indexOf(",") + 1);
      resolve({ name: file.name, mediaType: file.type as Image["mediaType"], data });
    };
    reader.readAsDataURL(file);
  });
}

/** The form in which a message carries images. */
export function toImages(attached: readonly Attachment[]): Image[] {
  return attached.map(({ mediaType, data }) => ({ mediaType, data }));
}

/** Attached images, each of which can be removed, and a button for more. */
export function Attachments({
  images,
  onAdd,
  onRemove,
}: {
  readonly images: readonly Attachment[];
  readonly onAdd: (files: readonly File[]) => void;
  readonly onRemove: (index: number) => void;
}) {
  const { steer } = useStrings();
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="attachments">
      <button type="button" className="button bare small" onClick={() => field.current?.click()}>
        {steer.attach}
      </button>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept={TYPES.join(",")}
        aria-label={steer.attach}
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {images.map(({ name, mediaType, data }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two images may have the same name
        <span key={index} className="attachment">
          <img src={`data:${mediaType};base64,${data}`} alt={visibleText(name)} />
          <button
            type="button"
            aria-label={fill(steer.removeImage, { name: visibleText(name) })}
            onClick={() => onRemove(index)}
          >
            ×
          </button>
        </span>
      ))}
    </div>
  );
}
