// Builds the pages into dist/web: `node scripts/build-web.ts`, also run after an install.

import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const SHARED =
  /[\\/](?:src[\\/](?:shown|web[\\/](?:api|look|parts|shell|words))|node_modules[\\/](?:react|react-dom|scheduler))[\\/]/;
await build({
  root: join(root, "src/web"),
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: join(root, "dist/web"),
    emptyOutDir: true,
    target: "es2022",
    // The policy of the pages allows no inline anything.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page uses comes in one piece: a browser opens six connections, and each piece waits for one.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } } },
  },
});
