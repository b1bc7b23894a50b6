import { visibleText } from "../../shown/visible-text.ts";
import { Refused, send } from "../api/client.ts";
import { fill, useWords } from "../words/words.ts";
import "./login.css";

const CODE = /^#login=([\w-]+)$/;

export function hasCode(): boolean {
  return CODE.test(location.hash);
}

export interface Entry {
  readonly isIn: boolean;
  /** Why the code in the address was refused; null where it was not, or there was none. */
  readonly refusal: Error | null;
}

/** Logged in, or let in by the code that `hookline open` put into the address; it is used once and taken out. */
export async function enter(): Promise<Entry> {
  const code = CODE.exec(location.hash)?.[1];
  let refusal: Error | null = null;
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    await send("POST", "/api/login", { code }).catch((error: Error) => {
      refusal = error;
    });
  }
  const response = await fetch("/api/login", { credentials: "same-origin" }).catch(() => null);
  return { isIn: response?.ok ?? false, refusal };
}

export function LoginPage({ refusal }: { readonly refusal: Error | null }) {
  const { login, app } = useWords();
  const isUsed = refusal instanceof Refused && refusal.code === "code_refused";
  return (
    <main className="login-page">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>{login.title}</h1>
      {refusal !== null && (
        <p className="trouble" role="alert">
          {isUsed ? login.refused : fill(app.failed, { why: visibleText(refusal.message) })}
        </p>
      )}
      <p className="muted">{login.how}</p>
      <pre className="panel">
        <code>hookline open</code>
      </pre>
    </main>
  );
}
