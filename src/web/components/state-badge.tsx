import type { SessionSnapshot } from "../../serve/contract.ts";
import { useStrings } from "../i18n/strings.ts";
import { Icon } from "./icon.tsx";
import { sessionStatusOf } from "./session-status.ts";
import "./state-badge.css";

export function StateBadge({ session }: { readonly session: SessionSnapshot }) {
  const strings = useStrings();
  const { key, tone, shape } = sessionStatusOf(session);
  return (
    <span className={`state-mark ${tone}`}>
      <span className="shape">
        <Icon name={shape} />
      </span>
      <span className="status-text">{strings.state[key]}</span>
    </span>
  );
}
