import type { SessionSnapshot } from "../../serve/contract.ts";
import { useWords } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { standingOf } from "./standing.ts";
import "./state-mark.css";

export function StateMark({ session }: { readonly session: SessionSnapshot }) {
  const words = useWords();
  const { key, tone, shape } = standingOf(session);
  return (
    <span className={`state-mark ${tone}`}>
      <span className="shape">
        <Icon name={shape} />
      </span>
      <span className="word">{words.state[key]}</span>
    </span>
  );
}
