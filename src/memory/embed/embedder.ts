import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import type { Env } from "../../home.ts";
import { createChildEmbedder } from "./child-embedder.ts";
import type { Embedder } from "./embedder-contract.ts";
import { type FoundModel, findLocalModel, findModelFolder } from "./model-folder.ts";
import { createUrlEmbedder } from "./url-embedder.ts";

export type { Embedder } from "./embedder-contract.ts";

export type OpenedEmbedder =
  | { readonly type: "ready"; readonly embedder: Embedder }
  | { readonly type: "none"; readonly why: string };

export interface OpenEmbedderOptions {
  readonly env?: Env;
  readonly idleMs?: number;
}

/** Opens the embedder that `memory.embedder` names. Loads and requests nothing before the first text. */
export function openEmbedder(
  config: Pick<Config["memory"], "embedder" | "embedderModel">,
  { env = process.env, idleMs }: OpenEmbedderOptions = {},
): OpenedEmbedder {
  const { embedder: name, embedderModel } = config;
  if (name === null) return { type: "none", why: "memory.embedder is null" };
  if (/^https?:/i.test(name)) return openUrl(name, embedderModel, env);
  const found = name === "local" ? findLocalModel() : findModelFolder(resolve(expandHome(name, env)));
  return openChild(found, env, idleMs);
}

function openChild(found: FoundModel, env: Env, idleMs: number | undefined): OpenedEmbedder {
  const why = found.type === "missing" ? found.why : findRuntimeFault();
  if (found.type === "missing" || why !== null) return { type: "none", why: why! };
  return { type: "ready", embedder: createChildEmbedder(found.model, { env, idleMs }) };
}

function openUrl(name: string, model: string | null, env: Env): OpenedEmbedder {
  if (!URL.canParse(name)) return { type: "none", why: `memory.embedder is not a URL: ${name}` };
  const url = new URL(name);
  if (url.username !== "" || url.password !== "")
    return {
      type: "none",
      why: "memory.embedder contains a password: put the key in HOOKLINE_EMBEDDINGS_KEY",
    };
  const key = env["HOOKLINE_EMBEDDINGS_KEY"] || null;
  return { type: "ready", embedder: createUrlEmbedder({ url, model, key }) };
}

/** Checks for the runtime without loading it: only the child loads it. */
function findRuntimeFault(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve("onnxruntime-node");
    const { platform, arch } = process;
    const binary = join(dirname(entry), "../bin/napi-v3", platform, arch, "onnxruntime_binding.node");
    return existsSync(binary) ? null : `onnxruntime-node does not support ${platform} on ${arch}`;
  } catch {
    return "the optional package onnxruntime-node is not installed";
  }
}

function expandHome(path: string, env: Env): string {
  return path.startsWith("~/") ? join(env["HOME"] || homedir(), path.slice(2)) : path;
}
