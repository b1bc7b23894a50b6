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

const INITIALLY_OPEN = 4;

/** The net changes: each file once, with the calls that changed it. */
export function Files({
  story,
  folder,
  isComplete,
  onOpen,
}: {
  readonly story: Story;
  readonly folder: string | null;
  readonly isComplete: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const { session, unit } = useStrings();
  const files = useMemo(() => changedFiles(story.calls), [story]);
  const blobs = useBlobs(files);
  const changes = useMemo(() => files.map(({ calls }) => toNetChange(calls, blobs)), [files, blobs]);
  // A command can change any file, and nothing reports which.
  const hasCommands = story.calls.some(({ kind, status }) => kind === "shell" && status !== "denied");
  const note = hasCommands && <p className="muted">{session.commandsMayChange}</p>;
  if (files.length === 0)
    return !isComplete || !hasCommands ? (
      <p className="muted">{isComplete ? session.noFiles : session.loading}</p>
    ) : (
      <div className="files">
        <p>{session.noFileEdits}</p>
        {note}
      </div>
    );
  const { added, removed } = countChanges(changes.flatMap(({ hunks }) => hunks));
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
          change={changes[index]!}
          folder={folder}
          isInitiallyOpen={index < INITIALLY_OPEN}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

function FilePanel({
  file,
  change,
  folder,
  isInitiallyOpen,
  onOpen,
}: {
  readonly file: ChangedFile;
  readonly change: NetChange;
  readonly folder: string | null;
  readonly isInitiallyOpen: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const { added, removed } = countChanges(change.hunks);
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
      {isOpen && <FileBody file={file} change={change} onOpen={onOpen} />}
    </section>
  );
}

function FileBody({
  file,
  change,
  onOpen,
}: {
  readonly file: ChangedFile;
  readonly change: NetChange;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  return (
    <div className="file-body">
      {change.hunks.length === 0 ? (
        <p className="muted">{session.allReverted}</p>
      ) : (
        <DiffView hunks={change.hunks} path={file.path} />
      )}
      <ul className="made-by muted">
        <li>{change.isNet ? session.madeBy : session.inSequence}</li>
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

/** The blobs of the changes, as far as they are loaded. */
function useBlobs(files: readonly ChangedFile[]): ReadonlyMap<string, unknown> {
  const [blobs, setBlobs] = useState<ReadonlyMap<string, unknown>>(new Map());
  const hashes = [...new Set(files.flatMap(({ calls }) => blobHashesOf(calls)))]
    .slice(0, MAX_BLOBS)
    .join(" ");
  useEffect(() => {
    if (hashes === "") return;
    let isMounted = true;
    const read = (hash: string) =>
      readBlob(hash).then(
        (value) => [[hash, value] as const],
        () => [],
      );
    void Promise.all(hashes.split(" ").map(read)).then(
      (loaded) => isMounted && setBlobs(new Map(loaded.flat())),
    );
    return () => {
      isMounted = false;
    };
  }, [hashes]);
  return blobs;
}
