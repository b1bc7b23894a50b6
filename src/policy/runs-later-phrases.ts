/**
 * Commands of programs that change what runs later: their configuration, hooks, services, timers, plugins and the
 * versions that other programs run in. A phrase is words in this order among a program's operands, with options and
 * their values anywhere between; `a|b` is either of them, `*` any word, `*=` any assignment.
 */
type ProgramPhrases = readonly (readonly [programs: string, phrases: string])[];

const CONFIG = "config|conf|cfg|settings|c set|add|edit|delete|unset|rm|remove|fix|import";

const PACKAGES: ProgramPhrases = [
  [
    "npm pnpm yarn yarnpkg bun deno pip pipx uv hatch pdm rye pixi nuget conan vcpkg rustup cargo jj sl hk",
    CONFIG,
  ],
  ["npm pnpm", "set *, setup, env use"],
  ["bun", "pm trust|untrusted"],
  ["kubectl oc", "krew install|upgrade|index"],
  ["yarn yarnpkg", "set version|resolution, plugin import|remove|runtime, policies set-version"],
  ["pip pipx uv", "ensurepath, tool update-shell"],
  ["poetry pdm", "config * *, self add|remove|update"],
  ["conda mamba micromamba", "init, shell init, env config vars set|unset"],
  ["bundle bundler", "config set|unset|delete, config * *, plugin install|uninstall"],
  ["composer", "config * *, global config * *"],
  ["dotnet", "nuget add|update|enable|disable|remove source, new nugetconfig|tool-manifest|globaljson"],
  ["nuget", "sources|source add|update|enable|remove"],
  ["rustup", "default *, override set|unset, toolchain link"],
  ["opam ghcup juliaup swiftly", "init, default *, set *, config *"],
  ["corepack", "use, up, enable, disable, install, prepare"],
  ["add-apt-repository apt-add-repository yum-config-manager", "*"],
  ["dnf yum", "config-manager *, copr enable"],
  ["zypper", "ar|addrepo|mr|modifyrepo *"],
  ["apt-key", "add|adv"],
  ["flatpak", "remote-add|remote-modify *, override *"],
  ["brew", "services start|run|restart|stop, autoupdate start"],
  ["gradle gradlew", "wrapper"],
  ["mvn mvnw", "wrapper|wrapper:wrapper|-n:wrapper"],
];

const TOOL_MANAGERS: ProgramPhrases = [
  [
    "mise rtx",
    "trust, use|u, unuse, set, unset, settings|config set|add|unset|edit, settings *=, alias set|unset, plugins|plugin|p install|i|link, link, generate|gen, tasks|task add|edit, edit, sync, install-into, shell-alias set, tool-alias set",
  ],
  ["asdf", "set, local, global, shell, plugin add|update, plugin-add, plugin-update"],
  ["proto", "pin, use, install-plugin, plugin add, setup, alias"],
  ["vfox", "use, add"],
  ["sdk", "default|d *, config, env init"],
  ["nvm fnm", "alias default, default *"],
  ["volta", "setup, pin, install, uninstall"],
  ["nodenv rbenv goenv jenv phpenv plenv", "init, global *, vars"],
  ["aqua", "policy allow|init, init, update"],
  ["hermit", "init, install, upgrade, shell-hooks"],
  ["devbox", "init, add, rm, remove, global, generate, update"],
  ["flox", "init, edit, install, push"],
  ["nix", "registry add|pin|remove, profile install|add"],
  ["direnv", "allow, permit, grant, edit"],
  ["autoenv shadowenv", "trust, authorize"],
  ["home-manager darwin-rebuild nixos-rebuild", "switch, boot, edit, activate, test"],
  ["chezmoi", "apply, init, update, edit, edit-config, import"],
  ["yadm", "bootstrap, clone, pull, alt, config * *"],
  ["stow rcup mackup dotbot", "*"],
  ["fisher omf sheldon antidote zplug", "install, add, update, edit, bundle"],
];

const HOOKS: ProgramPhrases = [
  ["husky simple-git-hooks husky-init git-hooks-js", "*"],
  ["lefthook", "install, uninstall, add, self-update"],
  ["pre-commit prek", "install, uninstall, autoupdate, auto-update, init-templatedir, migrate-config"],
  ["captainhook grumphp", "install, git:init, configure, hook:add, add"],
  ["hk", "install, init, uninstall"],
  ["trunk", "init, enable, disable, upgrade, git-hooks sync, actions enable|disable"],
  ["rusty-hook quickhook whisky ghooks pre-push", "init, install, update"],
];

const SERVICES: ProgramPhrases = [
  [
    "systemctl",
    "enable, reenable, link, edit, set-default, add-wants, add-requires, set-property, preset, preset-all, set-environment, unset-environment, import-environment, mask, unmask, revert, bind, mount-image",
  ],
  ["launchctl", "load, bootstrap, submit, enable, setenv, unsetenv, config"],
  ["loginctl", "enable-linger, disable-linger"],
  ["pm2", "startup, unstartup, save, dump, install, set, update"],
  ["supervisorctl", "update, reread, add"],
  ["rc-update update-rc.d chkconfig", "add, del, delete, on, off, defaults, enable, disable, remove"],
  ["sc schtasks", "create, config"],
  ["setx visudo vipw vigr usermod useradd adduser gpasswd groupmod chpasswd chsh", "*"],
  ["xdg-mime xdg-settings gsettings dconf", "default, set, write, load, reset"],
  ["aws", "configure set|import|sso|add-model"],
  ["docker podman nerdctl", "context use|create|update|import, plugin install|enable|set, buildx install"],
];

const EDITORS_AND_AGENTS: ProgramPhrases = [
  [
    "gh glab hub tea",
    "alias set|import|delete, config set|edit, auth setup-git, secret|variable set|update|delete|remove, workflow enable|disable, schedule create|update, securefile create, skill|skills install",
  ],
  [
    "codex gemini qwen opencode crush goose amp cursor-agent copilot auggie droid kiro kiro-cli q cline cn iflow codebuddy grok kimi vibe plandex openhands rovodev acli pi kilocode kilo roo cody tabnine windsurf cursor trae warp llm devin forge junie zencoder qodo continue",
    "config|settings set|edit|add|unset, agents|agent create|add|install|import, skills|skill install|add|link|enable, hooks|hook add|install|enable|migrate, rules add, configure, trust",
  ],
  ["smithery mcp-get mcpm mcp-installer", "install, add, i, enable"],
  ["skills openskills add-mcp add-skill install-mcp mcp-add", "*"],
  ["ruler rulesync", "apply, generate, init, import, install, fetch"],
  ["op", "plugin init"],
];

/** For any program. */
export const COMMON_PHRASES =
  "mcp add|add-json|add-from-claude-desktop|install|import|enable|disable|remove|rm|delete|set|update|edit, mcp:add|mcp:install *, plugin|plugins install|add|import|link|enable|marketplace, extension|extensions|ext install|add|link|enable|upgrade, plugins:install|plugins:link|extensions:install *, hook|hooks|git-hooks|githooks install|add|enable|sync|setup, install-hooks|install-hook|setup-hooks, service|daemon|autostart install|enable|register, install-service|service-install";

export const RUNS_LATER_PHRASES: ProgramPhrases = [
  ...PACKAGES,
  ...TOOL_MANAGERS,
  ...HOOKS,
  ...SERVICES,
  ...EDITORS_AND_AGENTS,
];

/** Options with the same effect. */
export const RUNS_LATER_OPTIONS: Readonly<Record<string, RegExp>> = {
  go: /^-{1,2}[wu]$/,
  conda: /^--(?:add|append|prepend|set|remove|remove-key|write-default)$/,
  mamba: /^--(?:add|append|prepend|set|remove|remove-key)$/,
  micromamba: /^--(?:add|append|prepend|set|remove|remove-key)$/,
  poetry: /^--(?:unset|migrate)$/,
  rye: /^--(?:set|set-int|set-bool|unset)(?:=|$)/,
  composer: /^(?:--unset|-e|--editor)$/,
  gem: /^(?:-a|-r|-p|--add|--remove|--append|--prepend)$/,
  nuget: /^-set$/i,
  "nix-channel": /^--(?:add|remove)$/,
  overcommit: /^(?:-i|-u|-s|--install|--uninstall|--sign)$/,
  "systemd-run": /^--(?:on-[a-z-]+|(?:timer|path|socket)-property)(?:=|$)/,
  "update-alternatives": /^--(?:set|install|config|auto|remove|remove-all|all|set-selections)$/,
  alternatives: /^--(?:set|install|config|auto|remove)$/,
  defaults: /log(?:in|out)hook/i,
  hg: /^(?:-e|--edit)$/,
  sysctl: /^(?:-w|-p|--write|--load|--system)/,
  schtasks: /^\/create$/i,
};

/** Subcommands that these options belong to; without one, the option counts by itself. */
export const SUBCOMMAND_OF_OPTION: Readonly<Record<string, string>> = {
  go: "env",
  conda: "config",
  mamba: "config",
  micromamba: "config",
  poetry: "config",
  rye: "config",
  composer: "config",
  gem: "sources",
  hg: "config",
};

/** Editors built on VS Code, under its many names. */
export const VSCODE_EDITOR =
  /^(?:code|codium|cursor|windsurf|trae|kiro|positron|void|antigravity|pearai|theia|openvscode)(?:-(?:insiders|oss|server|next|nightly|tunnel))?$|^vscodium$|^surf$/;
export const VSCODE_OPTION =
  /^--(?:add-mcp|(?:un)?install-extension|install-builtin-extension|update-extensions|enable-proposed-api|extensions-dir|user-data-dir)(?:=|$)/;
