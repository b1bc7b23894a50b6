/**
 * Files that change what runs later without anybody calling them: on a push, on entering a folder, at a start, or
 * under the name of another program. Source code, tests and build files (`package.json`, `Makefile`, `Dockerfile`)
 * are not here: they run when somebody runs them, and editing them is the work itself.
 */

/** Patterns of files, and what such a file is. */
type Names = readonly (readonly [string, string])[];

const GIT_HOOKS =
  "{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg,commit-msg,post-commit,pre-rebase,post-checkout,post-merge,pre-push,pre-receive,proc-receive,post-receive,post-update,reference-transaction,push-to-checkout,pre-auto-gc,post-rewrite,sendemail-validate,fsmonitor-watchman,post-index-change}";

export const CI: Names = [
  [
    ".github/{workflows,actions,scripts,hooks}/** .github/{dependabot,mergify,renovate,release}.* .github/*.{sh,py,js}",
    "a file of GitHub's CI",
  ],
  ["{.forgejo,.gitea}/{workflows,actions}/** action.{yml,yaml}", "a CI workflow"],
  [".gitlab-ci.* *.gitlab-ci.{yml,yaml} .gitlab-ci/** .gitlab/**", "a CI pipeline"],
  [".circleci/** .buildkite/** .teamcity/** .semaphore/** .tekton/** .woodpecker/**", "a CI pipeline"],
  ["jenkinsfile* *.jenkinsfile .jenkins/** .jenkins.{yml,yaml} .ci/** .pipelines/**", "a CI pipeline"],
  [
    "azure-pipelines* *.azure-pipelines.{yml,yaml} .azure-pipelines/** azure-pipelines/** .azuredevops/** .ado/**",
    "a CI pipeline",
  ],
  ["bitbucket-pipelines* .travis.{yml,yaml} .travis/** .drone.* .drone/** .woodpecker.*", "a CI pipeline"],
  ["{appveyor,.appveyor}.{yml,yaml} .appveyor/** .cirrus.* .shippable.* shippable.yml", "a CI pipeline"],
  ["cloudbuild*.{yml,yaml,json} .cloudbuild/** buildspec*.{yml,yaml} appspec.{yml,yaml}", "a CI pipeline"],
  [
    "codefresh*.{yml,yaml} .codefresh/** .harness/** screwdriver.yaml wercker.yml bitrise.{yml,yaml}",
    "a CI pipeline",
  ],
  [
    "codemagic.yaml codeship-*.yml {.zuul,zuul}.{yml,yaml} {.zuul.d,zuul.d}/** bamboo-specs/**",
    "a CI pipeline",
  ],
  [
    "{.build,.builds}.{yml,yaml} .builds/** .prow.{yml,yaml} .prow/** .taskcluster.* .taskcluster/**",
    "a CI pipeline",
  ],
  [
    "{.evergreen,evergreen,buddy,.vela,.rultor,.packit,packit,garnix,.onedev-buildspec}.{yml,yaml} .buddy/**",
    "a CI pipeline",
  ],
  [
    "*.gocd.{yml,yaml} .agola/** .cds/** .argo/** .argo-ci/** .dagger/** .copr/** .cloudbees/**",
    "a CI pipeline",
  ],
  [
    "{.readthedocs,readthedocs}.{yml,yaml} .hound.yml .lgtm.yml .mergify.{yml,yaml} .mergify/**",
    "a CI pipeline",
  ],
  [
    "renovate.{json,json5} .renovaterc* .coderabbit.{yml,yaml} .pr_agent.toml .sweep.yaml",
    "a bot's configuration",
  ],
  [
    "{.screwdriver,.dagger}.{yml,yaml} dagger.json .dependabot/** .concourse/** concourse/*.{yml,yaml} ci/*.{yml,yaml,groovy,jsonnet,star}",
    "a CI pipeline",
  ],
  ["netlify.toml vercel.json now.json render.yaml amplify.{yml,yaml} .platform.app.yaml", "a deployment"],
  ["fastlane/{fastfile,appfile,matchfile,pluginfile}", "a deployment"],
];

export const GIT: Names = [
  [".git/hooks/** .githooks/** .git-hooks/** githooks/** git-hooks/** .husky/**", "a git hook"],
  [`${GIT_HOOKS} hooks/${GIT_HOOKS}.*`, "a git hook"],
  [
    ".git/** git~1/** *.git/{hooks,info}/** *.git/{config,config.worktree,packed-refs,head}",
    "a file of git's own",
  ],
  [".gitconfig* *.gitconfig .gitconfig.d/** git/{config,attributes}", "git's configuration"],
  ["gitconfig config.worktree .gitattributes gitattributes .gitmodules", "git's configuration"],
  [".jj/** .hg/** .hgrc hgrc .svn/** .sl/** .bzr/**", "a version control's configuration"],
  [
    ".pre-commit-*.{yml,yaml} prek.toml {lefthook,.lefthook}{,-local}.{yml,yaml,toml,json} .lefthook/** .lefthook-local/**",
    "the list of git hooks",
  ],
  [".lintstagedrc* lint-staged.config.* .huskyrc* husky.config.* .overcommit.yml", "the list of git hooks"],
  [
    "{simple-git-hooks,.simple-git-hooks}.* captainhook.json grumphp.* .ghooks* .yorkierc",
    "the list of git hooks",
  ],
];

export const TOOLS: Names = [
  [
    "{mise,.mise}{,.*}.toml .mise/** mise/{config.toml,conf.d,tasks,hooks}/** mise/config*.toml {mise-tasks,.mise-tasks}/**",
    "a tool manager's configuration",
  ],
  [
    ".rtx.toml .tool-versions .asdfrc .prototools .sdkmanrc .rvmrc .versions.conf",
    "a tool manager's configuration",
  ],
  [
    "rust-toolchain rust-toolchain.toml {brewfile,.brewfile} aqua.{yml,yaml} .aqua.{yml,yaml}",
    "a tool manager's configuration",
  ],
  [
    ".envrc .envrc.{local,private} .direnvrc direnvrc direnv.toml .direnv/** .autoenv* .shadowenv.d/**",
    "a file the shell runs on entering the folder",
  ],
  [
    "flake.nix shell.nix devenv.{nix,yaml} devenv.local.nix devbox.json .flox/** .devbox/** {.pkgx,pkgx,.tea}.{yml,yaml}",
    "an environment that is set up on entering the folder",
  ],
  [
    ".devcontainer.json .devcontainer/** .gitpod.* .gitpod/** .idx/** .replit replit.nix .codesandbox/** .ona/** .stackblitzrc",
    "a container that is started for the project",
  ],
];

export const BUILD: Names = [
  [
    "mvnw* .mvn/** gradlew* gradle/wrapper/** {init.gradle,init.gradle.kts} .gradle/init.d/**",
    "a build wrapper",
  ],
  ["{millw,bazelw,pleasew,pantsw,leinw,scalaw,jbangw,flutterw,cargow,tofuw,sbtw,jdkw}*", "a build wrapper"],
  [
    ".bazelrc *.bazelrc .bazeliskrc .bazelversion tools/bazel .buckconfig* .plzconfig* .pants.rc",
    "a build tool's configuration",
  ],
  [
    ".sbtopts .jvmopts .sbt/** .cargo/{config,config.toml,env}* .ant/** .antrc .mavenrc",
    "a build tool's configuration",
  ],
  [
    ".npmrc .yarnrc* .yarn/{plugins,releases,sdks,patches}/** .pnp.* {.pnpmfile,pnpmfile}.*",
    "a package manager's configuration",
  ],
  [
    "bunfig.toml .bunfig.toml pip.{conf,ini} .pip/** pip/pip.conf uv.toml .condarc condarc",
    "a package manager's configuration",
  ],
  [
    "{.pydistutils,pydistutils}.cfg .bundle/{config,plugin}* .gemrc nuget.config .nuget/nuget/** .vcpkg-root .conanrc .conan2/** .conan/**",
    "a package manager's configuration",
  ],
  [
    "{sitecustomize,usercustomize}.py {site-packages,dist-packages}/*.pth",
    "code that python runs at its start",
  ],
];

/** No hidden folder counts as what is in it here: `rm -rf .venv` is everyday work. */
export const INSTALLED: Names = [
  ["node_modules/.bin/** node_modules/*/bin/** node_modules/@*/*/bin/**", "an installed program"],
  ["{venv,env,virtualenv}/{bin,scripts}/** vendor/bin/** vendor/bundle/**", "an installed program"],
  ["{.venv,.env,.virtualenv,.tox,.nox}/{bin,scripts}/** .tox/*/bin/** .nox/*/bin/**", "an installed program"],
];

export const EDITORS: Names = [
  [
    ".vscode/*.json *.code-workspace .zed/** .idea/** .fleet/** .vs/** .theia/** .nova/** .lapce/**",
    "an editor's configuration",
  ],
  [
    "*.sublime-{project,workspace,build,settings} .helix/** .atom/** .externaltoolbuilders/**",
    "an editor's configuration",
  ],
  [
    "{.vimrc,_vimrc,.gvimrc,.exrc,_exrc,.nvimrc,.nvim.lua,.lvimrc,.ideavimrc}* .vim/** .nvim/** .lnvim.lua .vimspector.json .kateproject .kakrc kakrc .kak/**",
    "a file an editor runs",
  ],
  [
    ".dir-locals*.el .emacs .emacs.* .emacs.d/** .spacemacs* .doom.d/** .ycm_extra_conf.py",
    "a file an editor runs",
  ],
];

export const AGENTS: Names = [
  [".claude/** .claude-plugin/** .claude.json claude_desktop_config.json", "a file that steers Claude Code"],
  [".hookline/**", "Hookline's own configuration"],
  [
    "{claude,claude.local,agents,agents.local,agents.override,agent,gemini,qwen,crush,warp,codex,skill}.md",
    "what agents are told",
  ],
  [
    ".github/{copilot-*,instructions,prompts,chatmodes,agents,skills}/** .github/copilot-*.* *.{instructions,chatmode,agent}.md",
    "what agents are told",
  ],
  [
    ".cursorrules .windsurfrules .goosehints .rules .clinerules* .roorules* .roomodes* .rooignore .clineignore .cursorignore",
    "what agents are told",
  ],
  [
    ".continuerules .continuerc* .augment-guidelines .openhands_instructions .aider* .llmrules .ai-rules* .junierules",
    "what agents are told",
  ],
  [
    "{.cursor,.windsurf,.cline,.roo,.continue,.codex,.gemini,.qwen,.opencode,.kilocode,.kiro,.junie,.amazonq,.agents,.agent,.goose,.augment,.trae,.crush,.cody,.openhands,.devin,.factory,.amp,.zencoder,.void,.tabnine,.codeium,.copilot,.qodo,.aiassistant,.mcp,.ai,.warp,.antigravity,.bob,.codebuddy,.iflow}/**",
    "a file that steers another agent",
  ],
  [".roo-*/** .clinerules/** .clinerules-*/** .clauderules .rules/**", "a file that steers another agent"],
  [
    "{opencode,.opencode,crush,.crush,gemini-extension}.{json,jsonc} .lsp.json .sourcegraph/**",
    "a file that steers another agent",
  ],
  [
    "{mcp,.mcp}{,.local,-config,_config,_settings,-servers,_servers}.{json,jsonc} {mcp,.mcp}.{yml,yaml,toml} cline_mcp_settings.json",
    "the list of MCP servers that are started",
  ],
];

export const STARTS: Names = [
  [
    ".{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,bash_completion,bashenv,bash_env,profile,login,logout,cshrc,tcshrc,kshrc,mkshrc}*",
    "a file the shell runs at its start",
  ],
  [
    ".{zshrc,zshenv,zprofile,zlogin,zlogout,oh-my-zsh,zsh_aliases,aliases}* fish/{config.fish,conf.d,functions}/** fish/config.fish",
    "a file the shell runs at its start",
  ],
  [
    ".{inputrc,xprofile,xinitrc,xsession,xsessionrc,xresources,xsession,pam_environment,tmux.conf,screenrc,lesskey,mailcap,nanorc}*",
    "a file a program runs at its start",
  ],
  [
    ".{gdbinit,lldbinit,pdbrc,pythonrc,pystartup,irbrc,pryrc,byebugrc,rprofile,renviron,octaverc,juliarc,ghci,ocamlinit,iex.exs,erlang,sqliterc,psqlrc,wgetrc,curlrc,ripgreprc,perldb,replyrc,nodesource}*",
    "a file a program runs at its start",
  ],
  [
    ".ipython/** .jupyter/** .tmux/** .zsh/** .bashrc.d/** .profile.d/** .julia/config/** .oh-my-zsh/** .screenlayout/**",
    "a file a program runs at its start",
  ],
  [".ssh/** authorized_keys* sshd_config ssh_config", "a file of ssh"],
  [
    "systemd/{user,system,system-generators,user-generators}/** autostart/*.desktop environment.d/**",
    "a service of the user",
  ],
  ["launchagents/** launchdaemons/**", "a service of the user"],
];
