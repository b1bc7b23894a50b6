import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { useWords } from "../words/words.ts";
import { commandTo } from "./command.ts";
import { refusalText } from "./refusal.ts";

/** A session that nobody drives from here: one of a terminal that has ended can be gone on with. */
export function NotDriven({ id }: { readonly id: string }) {
  const words = useWords();
  const session = useStore(live).sessions.get(id);
  const [trouble, setTrouble] = useState<string | null>(null);
  const cwd = session?.cwd ?? session?.projectPath ?? null;
  const resume = async (): Promise<void> => {
    setTrouble(null);
    try {
      await commandTo(id, "resume", { cwd, who: "browser" });
      location.reload();
    } catch (error) {
      setTrouble(refusalText(error, words));
    }
  };
  return (
    <div className="not-driven">
      <h1>{words.pages.session}</h1>
      <p className="muted">{words.steer.unknown}</p>
      {cwd !== null && (
        <button type="button" className="button primary" onClick={resume}>
          {words.steer.takeOver}
        </button>
      )}
      {trouble !== null && (
        <p className="trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
    </div>
  );
}
