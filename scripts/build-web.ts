// Builds the pages into dist/web: `node scripts/build-web.ts`, also run after an install.

import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
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
  },
});
