import "./styles/tokens.css";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App, preloadPage } from "./app.tsx";
import { hasLoginCode, logIn } from "./shell/login.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
preloadPage(location.pathname);
const root = createRoot(document.getElementById("root")!);
// Without a login code the user is most likely logged in; the first 401 shows the login page.
if (hasLoginCode()) void logIn().then((entry) => root.render(<App initialLogin={entry} />));
else root.render(<App initialLogin={{ isLoggedIn: true, refusal: null }} />);
