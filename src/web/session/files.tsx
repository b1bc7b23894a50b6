import { useEffect, useMemo, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { shortPath } from "../conversation/call-subject.ts";
import { countChanges } from "../conversation/diff-lines.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { readBlob } from "../conversation/use-blob.ts";
import { formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import {
  blobHashesOf,
  type ChangedFile,
  changedFiles,
  type NetChange,
  toNetChange,
} from "./changed-files.ts";
import type { Story } from "./story.ts";
import "./files.css";

const OPEN_AT_FIRST = 4;

/** The net changes: each file once, with the calls that changed it. */
export function Files({
  story,
  folder,
  isWhole,
  onOpen,
}: {
  readonly story: Story;
  readonly folder: string | null;
  readonly isWhole: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const { session, unit } = useStrings();
  const files = useMemo(() => changedFiles(story.calls), [story]);
  const blobs = useBlobs(files);
  const nets = useMemo(() => files.map(({ calls }) => toNetChange(calls, blobs)), [files, blobs]);
  // A command can change any file, and nothing reports which.
  const hasCommands = story.calls.some(({ kind, status }) => kind === "shell" && status !== "denied");
  const note = hasCommands && <p className="muted">{session.commandsMayChange}</p>;
  if (files.length === 0)
    return !isWhole || !hasCommands ? (
      <p className="muted">{isWhole ? session.noFiles : session.loading}</p>
    ) : (
      <div className="files">
        <p>{session.noFileEdits}</p>
        {note}
      </div>
    );
  const { added, removed } = countChanges(nets.flatMap(({ hunks }) => hunks));
  return (
    <div className="files">
      <p className="muted">
        {fill(unit.files, { n: files.length })} <span className="added">+{added}</span>{" "}
        <span className="removed">−{removed}</span>
      </p>
      {note}
      {files.map((file, index) => (
        <FilePanel
          key={file.path}
          file={file}
          net={nets[index]!}
          folder={folder}
          opens={index < OPEN_AT_FIRST}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

function FilePanel({
  file,
  net,
  folder,
  opens,
  onOpen,
}: {
  readonly file: ChangedFile;
  readonly net: NetChange;
  readonly folder: string | null;
  readonly opens: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  const [isOpen, setOpen] = useState(opens);
  const { added, removed } = countChanges(net.hunks);
  return (
    <section className="panel file">
      <h2>
        <button
          type="button"
          className="summary"
          data-row
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          <code className="cut">{visibleText(shortPath(file.path, folder))}</code>
          <span className="meta">
            {added > 0 && <span className="added">+{added}</span>}
            {removed > 0 && <span className="removed">−{removed}</span>}
            <span className="muted">{fill(session.calls, { n: file.calls.length })}</span>
          </span>
        </button>
      </h2>
      {isOpen && <FileBody file={file} net={net} onOpen={onOpen} />}
    </section>
  );
}

function FileBody({
  file,
  net,
  onOpen,
}: {
  readonly file: ChangedFile;
  readonly net: NetChange;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  return (
    <div className="file-body">
      {net.hunks.length === 0 ? (
        <p className="muted">{session.allReverted}</p>
      ) : (
        <DiffView hunks={net.hunks} path={file.path} />
      )}
      <ul className="made-by muted">
        <li>{net.isNet ? session.madeBy : session.inSequence}</li>
        {file.calls.map((call) => (
          <li key={call.key}>
            <button type="button" className="link" onClick={() => onOpen(call.key)}>
              {visibleText(call.toolName)} {formatTime(new Date(call.startMs).toISOString())}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const MAX_BLOBS = 200;

/** The changes stored elsewhere, as far as they are loaded. */
function useBlobs(files: readonly ChangedFile[]): ReadonlyMap<string, unknown> {
  const [blobs, setBlobs] = useState<ReadonlyMap<string, unknown>>(new Map());
  const wanted = [...new Set(files.flatMap(({ calls }) => blobHashesOf(calls)))]
    .slice(0, MAX_BLOBS)
    .join(" ");
  useEffect(() => {
    if (wanted === "") return;
    let isHere = true;
    const read = (hash: string) =>
      readBlob(hash).then(
        (value) => [[hash, value] as const],
        () => [],
      );
    void Promise.all(wanted.split(" ").map(read)).then((all) => isHere && setBlobs(new Map(all.flat())));
    return () => {
      isHere = false;
    };
  }, [wanted]);
  return blobs;
}
