import { homedir } from "node:os";
import { Hono } from "hono";
import { AppError } from "../app-error.ts";
import type { PathList } from "../control/control-contract.ts";
import { listFolders, listInside } from "../control/list-paths.ts";
import { toErrorResponse } from "./control-errors.ts";
import type { ControlPorts } from "./control-ports.ts";
import { PathQuery } from "./control-queries.ts";
import { readQuery } from "./read-request.ts";

/** Completes paths while they are typed: folders to start in, and files to mention in a message. */
export function completionRoutes({ driven }: Pick<ControlPorts, "driven">): Hono {
  return new Hono()
    .onError(toErrorResponse)
    .get("/api/control/folders", async (c) => {
      const query = readQuery(c, PathQuery);
      if (!query.ok) return query.response;
      return c.json({ paths: await listFolders(query.data.typed, homedir()) } satisfies PathList);
    })
    .get("/api/control/sessions/:id/files", async (c) => {
      const query = readQuery(c, PathQuery);
      if (!query.ok) return query.response;
      const id = c.req.param("id");
      const session = await driven.get(id);
      if (session === undefined) throw new AppError("session_unknown", `${id} is not driven from here`);
      return c.json({ paths: await listInside(session.cwd, query.data.typed) } satisfies PathList);
    });
}
