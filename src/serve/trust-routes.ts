import { Hono } from "hono";
import { toErrorResponse, withCredentials } from "./control-errors.ts";
import type { ControlPorts } from "./control-ports.ts";
import {
  ApprovalQuery,
  ApproveRequest,
  PolicyTestRequest,
  ReportRequest,
  TrustQuery,
} from "./control-queries.ts";
import { readBody, readBodyIfAny, readQuery } from "./read-request.ts";

/** Checks before anything runs: the `claude` there is, what a repository brings, what a rule would decide. */
export function trustRoutes(ports: ControlPorts): Hono {
  return (
    new Hono()
      .onError(toErrorResponse)
      .get("/api/control/claude", async (c) => {
        const query = readQuery(c, ReportRequest.pick({ billing: true }));
        return query.ok ? c.json(await ports.report(query.data)) : query.response;
      })
      // The same for clients that lend credentials, which must not be in a URL.
      .post("/api/control/claude", async (c) => {
        const read = await readBodyIfAny(c, ReportRequest);
        if (!read.ok) return read.response;
        return c.json(await withCredentials(read.data.credentials, () => ports.report(read.data)));
      })
      .get("/api/control/trust", async (c) => {
        const query = readQuery(c, TrustQuery);
        return query.ok ? c.json(await ports.trust.report(query.data.cwd)) : query.response;
      })
      .post("/api/control/trust", async (c) => {
        const read = await readBody(c, ApproveRequest);
        return read.ok ? c.json(await ports.trust.approve(read.data.cwd, read.data.hash)) : read.response;
      })
      .delete("/api/control/trust", async (c) => {
        const query = readQuery(c, TrustQuery);
        return query.ok ? c.json(await ports.trust.revoke(query.data.cwd)) : query.response;
      })
      .get("/api/control/trust/approvals", async (c) => c.json({ approvals: await ports.trust.approvals() }))
      .delete("/api/control/trust/approvals", async (c) => {
        const query = readQuery(c, ApprovalQuery);
        if (!query.ok) return query.response;
        await ports.trust.revokeApproval(query.data.folder);
        return c.json({ approvals: await ports.trust.approvals() });
      })
      .post("/api/control/policy/test", async (c) => {
        const read = await readBody(c, PolicyTestRequest);
        return read.ok ? c.json(await ports.policy.test(read.data)) : read.response;
      })
  );
}
