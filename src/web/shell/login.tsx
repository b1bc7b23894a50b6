import { send } from "../api/client.ts";
import { useWords } from "../words/words.ts";
import "./login.css";

const CODE = /^#login=([\w-]+)$/;

export function hasCode(): boolean {
  return CODE.test(location.hash);
}

/** Logged in, or let in by the code that `hookline open` put into the address; it is used once and taken out. */
export async function enter(): Promise<boolean> {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    await send("POST", "/api/login", { code }).catch(() => undefined);
  }
  const response = await fetch("/api/login", { credentials: "same-origin" }).catch(() => null);
  return response?.ok ?? false;
}

export function LoginPage() {
  const { login } = useWords();
  return (
    <main className="login-page">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>{login.title}</h1>
      <p className="muted">{login.how}</p>
      <pre className="panel">
        <code>hookline open</code>
      </pre>
    </main>
  );
}
