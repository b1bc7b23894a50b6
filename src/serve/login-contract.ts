import { z } from "zod";

/** Requests and answers of `/api/login` and `/api/logins`. */

export const CodeRequest = z.strictObject({
  /** How long the code is valid. */
  seconds: z.number().int().min(1).max(600).default(60),
});

export const CodeAnswer = z.object({
  /** The URL that opens the pages, with the code in its fragment. */
  address: z.string(),
  expiresAtIso: z.string(),
});
export type CodeAnswer = z.infer<typeof CodeAnswer>;

export const LoginRequest = z.strictObject({ code: z.string().min(1).max(200) });

const LoginSummary = z.object({
  id: z.string(),
  browser: z.string(),
  createdAtIso: z.string(),
  lastUsedAtIso: z.string(),
});

/** `login` is null for a client that used the token. */
export const LoginAnswer = z.object({ login: LoginSummary.nullable() });
export type LoginAnswer = z.infer<typeof LoginAnswer>;

export const LoginsAnswer = z.object({ logins: z.array(LoginSummary.extend({ isThis: z.boolean() })) });
export type LoginsAnswer = z.infer<typeof LoginsAnswer>;
