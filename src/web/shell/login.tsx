import { visibleText } from "../../shown/visible-text.ts";
import { ApiError, send } from "../api/client.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import "./login.css";

const CODE = /^#login=([\w-]+)$/;

export function hasLoginCode(): boolean {
  return CODE.test(location.hash);
}

export interface LoginState {
  readonly isLoggedIn: boolean;
  /** Why the login code was refused; null if it was accepted or there was none. */
  readonly refusal: Error | null;
}

/** Checks the login, after using the one-time code from `hookline open` if the URL has one. */
export async function logIn(): Promise<LoginState> {
  const code = CODE.exec(location.hash)?.[1];
  let refusal: Error | null = null;
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    await send("POST", "/api/login", { code }).catch((error: Error) => {
      refusal = error;
    });
  }
  const response = await fetch("/api/login", { credentials: "same-origin" }).catch(() => null);
  return { isLoggedIn: response?.ok ?? false, refusal };
}

export function LoginPage({ refusal }: { readonly refusal: Error | null }) {
  const { login, app } = useStrings();
  const isUsed = refusal instanceof ApiError && refusal.code === "code_refused";
  return (
    <main className="login-page">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>{login.title}</h1>
      {refusal !== null && (
        <p className="error-text" role="alert">
          {isUsed ? login.refused : fill(app.failed, { why: visibleText(refusal.message) })}
        </p>
      )}
      <p className="muted">{login.instructions}</p>
      <pre className="panel">
        <code>hookline open</code>
      </pre>
    </main>
  );
}
