import "./look/tokens.css";
import "./look/base.css";
import { createRoot } from "react-dom/client";
import { App, fetchPage } from "./app.tsx";
import { enter, hasCode } from "./shell/login.tsx";
import { apply } from "./shell/theme.ts";

apply();
fetchPage(location.pathname);
const root = createRoot(document.getElementById("root")!);
// Who brings no code is most likely in: the first refusal shows the door.
if (hasCode()) void enter().then((entry) => root.render(<App entry={entry} />));
else root.render(<App entry={{ isIn: true, refusal: null }} />);
