// Builds the pages into dist/web: `node scripts/build-web.ts`, also run after an install.

import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const SHARED =
  /[\\/](?:src[\\/](?:shown|web[\\/](?:api|components|i18n(?![\\/]sentences[\\/]ko)|shell|styles))|node_modules[\\/](?:react|react-dom|scheduler))[\\/]/;
await build({
  root: join(root, "src/web"),
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: join(root, "dist/web"),
    emptyOutDir: true,
    target: "es2022",
    // The pages' content security policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One chunk for what every page uses: a browser opens six connections, and each chunk waits for one.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } } },
  },
});
