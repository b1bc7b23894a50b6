import { useState } from "react";
import type { AwayReport } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";

const INITIAL_FILES = 20;

/** By project; most changed first. */
export function ChangedFiles({ files }: { readonly files: AwayReport["filesChanged"] }) {
  const { away: strings, app } = useStrings();
  const [isExpanded, setExpanded] = useState(false);
  if (files.length === 0) return null;
  const shown = isExpanded ? files : files.slice(0, INITIAL_FILES);
  const projects = Map.groupBy(shown, ({ projectPath }) => projectPath);
  return (
    <section>
      <h2>
        {strings.files} <span className="muted">{files.length}</span>
      </h2>
      <div className="panel changed-files">
        {[...projects].map(([project, projectFiles]) => (
          <div key={project}>
            <h3 title={visibleText(project ?? "")}>{visibleText(baseName(project))}</h3>
            <ul className="mono">
              {projectFiles.map(({ path, count }) => (
                <li key={path}>
                  <span className="cut" title={visibleText(path)}>
                    {visibleText(relativeTo(path, project))}
                  </span>
                  <span className="muted">{fill(strings.times, { n: count })}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {files.length > shown.length && (
        <button type="button" className="button" onClick={() => setExpanded(true)}>
          {app.more} ({files.length - shown.length})
        </button>
      )}
    </section>
  );
}

function relativeTo(path: string, project: string | null): string {
  return project !== null && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}
