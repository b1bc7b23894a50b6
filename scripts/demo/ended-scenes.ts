// Sessions that have ended, or whose process died.

import { MINUTE_MS, OPUS, type Scene, SONNET } from "./scene.ts";

export const QUILL_EXPORT: Scene = {
  setup: {
    key: "quill-export",
    project: "quill",
    branch: "main",
    model: SONNET,
    title: "Export a notebook as one HTML file",
  },
  agoMs: 3 * MINUTE_MS,
  work: (session) => {
    session.prompt("Exporting a notebook should give one HTML file with its pictures inside.");
    session.edit("src/export/html.ts", 48, [
      "-  return image(picture.path);",
      "+  return image(await toDataUrl(picture), escape(picture.alt));",
    ]);
    session.bash("pnpm test export", "Tests  12 passed (12)", { seconds: 7 });
    session.stop(
      "A notebook is one HTML file now, with its pictures inside. A notebook with 200 pictures takes 1.8 s.",
    );
  },
};

export const SHOP_LOST: Scene = {
  setup: {
    key: "shop-lost",
    project: "tindra-shop",
    branch: "spike/search",
    model: OPUS,
    title: "Try Meilisearch for the catalogue",
  },
  agoMs: 26 * MINUTE_MS,
  work: (session) => {
    session.prompt(
      "Try how the catalogue's search feels with Meilisearch: index 50,000 products and compare.",
    );
    session.bash("docker compose up -d meilisearch", "Container meilisearch  Started", { seconds: 8 });
    session.startCall("Bash", {
      command: "node scripts/index-products.ts --count 50000",
      description: "Index the products",
    });
  },
};
