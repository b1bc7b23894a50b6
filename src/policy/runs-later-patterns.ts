/**
 * Files that change what runs later without being called: on a push, on entering a folder, at a start, or under the
 * name of another program. Source code, tests and build files (`package.json`, `Makefile`, `Dockerfile`) are not
 * listed: they run on demand, and editing them is the work itself.
 */

/** Patterns of files, with a description of such a file. */
export type FilePatterns = readonly (readonly [string, string])[];

const GIT_HOOKS =
  "{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg,commit-msg,post-commit,pre-rebase,post-checkout,post-merge,pre-push,pre-receive,proc-receive,post-receive,post-update,reference-transaction,push-to-checkout,pre-auto-gc,post-rewrite,sendemail-validate,fsmonitor-watchman,post-index-change}";

export const GIT_FILES: FilePatterns = [
  [".git/hooks/** .githooks/** .git-hooks/** githooks/** git-hooks/** .husky/**", "a git hook"],
  [
    `${GIT_HOOKS} hooks/${GIT_HOOKS}.* ${GIT_HOOKS}.d/** hooks/{update,update.*,post-push,pre-pull}`,
    "a git hook",
  ],
  [
    ".git/** git~1/** *.git/{hooks,info}/** *.git/{config,config.worktree,packed-refs,head}",
    "a file in .git",
  ],
  [".gitconfig* *.gitconfig .gitconfig.d/** git/{config,attributes}", "Git's configuration"],
  ["gitconfig config.worktree .gitattributes gitattributes .gitmodules", "Git's configuration"],
  [".jj/** .hg/** .hgrc hgrc .svn/** .sl/** .bzr/**", "version control configuration"],
  [
    ".pre-commit-*.{yml,yaml} prek.toml {lefthook,.lefthook}{,-local}.{yml,yaml,toml,json} .lefthook/** .lefthook-local/**",
    "a list of git hooks",
  ],
  [".lintstagedrc* lint-staged.config.* .huskyrc* husky.config.* .overcommit.yml", "a list of git hooks"],
  [
    "{simple-git-hooks,.simple-git-hooks}.* captainhook.json grumphp.* .ghooks* .yorkierc",
    "a list of git hooks",
  ],
  [
    ".trunk/** .hooks/** .overcommit/** .quickhook/** .git-template*/** .git_template*/** .gittemplate*/** git-template*/hooks/** git_template*/hooks/** .rusty-hook.toml .pre-commit/** .pre-push/**",
    "a git hook",
  ],
  [
    "{hk,.hk}{,.local}.pkl {.nano-staged,nano-staged}.* .nanostagedrc* {whisky,.whisky,.captainhook,captainhook.config,.captainhook.config,.githooks,githooks}.{json,yml,yaml} .lefthookrc .overcommit.* .hk-hooks/** .ghooks.toml .git-hooks.{yml,yaml,json}",
    "a list of git hooks",
  ],
  [
    ".jjconfig.toml jj/{config.toml,conf.d}/** jj/config.toml .fossil-settings/** _darcs/** .darcs/** .pijul/** .slconfig .yadm/** .mrconfig .gitreview .gitu.toml",
    "version control configuration",
  ],
  [
    ".lfsconfig .bare/** .git-*/{config,config.worktree,hooks/**,info/**} .gitannex .git-crypt/** .gitsecret/** .gitfat .gitman.{yml,yaml} .gitmeta .hgsub .hgeol .bzrrules .repo/** .dvc/{config,config.local,plugins/**} .arcconfig .arclint .arcrc .reviewboardrc .fslckout .p4config .cvsrc .sapling/** .josh/** .stgit/** .topgit/** .subversion/** .gitbutler/** .git-town.toml .git-branches.toml .spr.{yml,yaml} .git-machete",
    "version control configuration",
  ],
];

export const TOOL_FILES: FilePatterns = [
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
    "an environment loaded on entering the folder",
  ],
  [
    ".devcontainer.json .devcontainer/** .gitpod.* .gitpod/** .idx/** .replit replit.nix .codesandbox/** .ona/** .stackblitzrc",
    "a development container",
  ],
  [
    "bin/{hermit*,activate-hermit*,.hermit*} .hermit/** {.vfox,vfox}.toml .vfoxrc* .vfox/** .moon/** .proto/** .pixi/{config.toml,hooks/**} .tenv.* .krewrc .dvmrc .aqua/** aqua/** .sdkman/** .jabbarc",
    "a tool manager's configuration",
  ],
  [
    ".envrc.* .envrc-* .powrc .powenv .ondirrc .autoenv/** .smartcd/** .envrc.d/** .localrc .zsh-autoenv* .in.zsh .out.zsh conda/{activate.d,deactivate.d}/** {pre,post}{activate,deactivate,mkvirtualenv,rmvirtualenv} pyvenv.cfg {bin,scripts}/activate{,.sh,.fish,.csh,.nu,.ps1,.bat,.xsh,_this.py} .python-startup* .pythonstartup*",
    "a file the shell runs on entering the folder",
  ],
  [
    ".devenv.* .devenv/** .ddev/** .lando.* .lando/** .docksal/** .warden/** devfile.{yml,yaml} .devfile.{yml,yaml} .devfile/** .che/** .coder/** .daytona/** .devpod/** .binder/** binder/{postbuild,start} .c9/** .glitch* .codeanywhere/** .dev.{yml,yaml} .nixpkgs/** .guix/** .flox.{toml,json}",
    "an environment loaded on entering the folder",
  ],
];

export const BUILD_FILES: FilePatterns = [
  [
    "{msbuild,directory.build,csc,vbc,fsc}.rsp .xcode.env.* .user.ini .ansible/** .vpython3 .vpython .west/config .mbed .platformio/** .idf/** .gclient .gclient_entries .cipd/** .nuke/parameters.json .cake/** .fake/** .psake/** .config/psrule.* .bazel/** .bazelrc.d/** .please/** .waf*/** .scons* site_scons/** .tup/** .wscript",
    "a build tool's configuration",
  ],
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
    "code that Python runs at startup",
  ],
  [
    "{grailsw,antw,kotlinw,nxw,dotnetw,cljw,bbw,denow,zigw,gow,goyekw,jpmw,gwtw,griffonw,buckw,kobaltw,amperw,scw,sdkw,nodew,javaw,rakew,mixw,poetryw,pdmw,uvw,makew,cmakew}{,.bat,.cmd,.ps1,.sh} .nx/{nxw.js,workflows/**} tools/bazel.* tools/{bazelisk,buck,buck2}* .bazelrc* .bazelproject .bazelignore .buckroot .buckversion",
    "a build wrapper",
  ],
  [
    ".mill-* .millrc* .sbtrc .sbtconfig .paket/** renv/{activate.r,settings.json} packrat/init.r .ropeproject/** dotnet-tools.json .bowerrc poetry.toml .pantsrc pants.rc .jvm-opts .jrubyrc .swiftpm/** gradle/init.d/** gradle-daemon-jvm.properties ccache.conf .ccache.conf .proverc .leinrc .boot/** boot.properties .plz* .earthly/config.{yml,yaml} .kotlin/** .scala-build/** .bsp/** .metals/** .bloop/**",
    "a build tool's configuration",
  ],
  [
    ".pnpm/** .pnpmrc .bunrc .jspmrc .denorc .pipenvrc .pdm.toml .pdm-python .uv.toml .mambarc mambarc .gemfile.local .bundle/** .cpanrc .cpanmrc .luarocks/** .ebrc .hex.* .cocoapods/** .pubrc .conan.conf conan.conf .spackrc .spack/** .elm-package .nimble/** .choosenim/**",
    "a package manager's configuration",
  ],
];

/** Here a hidden folder does not count as its contents: `rm -rf .venv` is everyday work. */
export const INSTALLED_PROGRAMS: FilePatterns = [
  ["node_modules/.bin/** node_modules/*/bin/** node_modules/@*/*/bin/**", "an installed program"],
  ["{venv,env,virtualenv}/{bin,scripts}/** vendor/bin/** vendor/bundle/**", "an installed program"],
  ["{.venv,.env,.virtualenv,.tox,.nox}/{bin,scripts}/** .tox/*/bin/** .nox/*/bin/**", "an installed program"],
];

export const EDITOR_FILES: FilePatterns = [
  [
    ".lazy.lua .nvim-*.lua .nvim.{lua,vim} .nvimrc* .vimrc.{local,project} .project.{vim,nvim,lua} .exrc.* .overseer/** .nvim-dap/** .neotest.lua .ycm_extra_conf.py .emacs.d/** .projectile .spacemacs* .doom.d/** .kakrc.local .lite_project* .lapce/** .micro/** .pulsar/** .atom/** .brackets.json .geany .kdev4/** .qtcreator/** *.{creator.user,kdev4,geany,cbp.layout,komodoproject,nova}/** .settings/*.launch *.launch.json .run/** .air/**",
    "an editor's configuration",
  ],
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
  [
    ".vscode/{extensions,hooks,scripts}/** .run/** *.run.xml .lite_project.lua .lite-xl/** {tasks,launch,cppproperties}.vs.json .tasks .tasks.json .vim-tasks* {overseer,.overseer}.json .overseer/** .settings/** .project *.xcscheme xcschemes/** .spyproject/** .kdev4/** *.kdev4 *.geany .textadept/** .tm_properties nbproject/private/** *.sublime-{commands,keymap,macro} .brackets.json .dap.json .micro/** .zed-* .cursor-server/** .windsurf-server/** .vscode-server/** .vscode-remote/** .vscode-test/**",
    "an editor's configuration",
  ],
  [
    ".local.vimrc .vimrc.* .gvimrc.* .exrc.* *.vimrc .vimlocal .vimproject .projections.json .nvim/** .neoconf.json .nvimrc.* .neovim/** .lvim/** .editorrc.lua .helix.toml .kakrc.local .micro* .joerc .jedrc .nedit",
    "a file an editor runs",
  ],
];

export const STARTUP_FILES: FilePatterns = [
  [
    ".{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,bash_completion,bashenv,bash_env,profile,login,logout,cshrc,tcshrc,kshrc,mkshrc}*",
    "a file the shell runs at startup",
  ],
  [
    ".{zshrc,zshenv,zprofile,zlogin,zlogout,oh-my-zsh,zsh_aliases,aliases}* fish/{config.fish,conf.d,functions}/** fish/config.fish",
    "a file the shell runs at startup",
  ],
  [
    ".{inputrc,xprofile,xinitrc,xsession,xsessionrc,xresources,xsession,pam_environment,tmux.conf,screenrc,lesskey,mailcap,nanorc}*",
    "a file a program runs at startup",
  ],
  [
    ".{gdbinit,lldbinit,pdbrc,pythonrc,pystartup,irbrc,pryrc,byebugrc,rprofile,renviron,octaverc,juliarc,ghci,ocamlinit,iex.exs,erlang,sqliterc,psqlrc,wgetrc,curlrc,ripgreprc,perldb,replyrc,nodesource}*",
    "a file a program runs at startup",
  ],
  [
    ".ipython/** .jupyter/** .tmux/** .zsh/** .bashrc.d/** .profile.d/** .julia/config/** .oh-my-zsh/** .screenlayout/**",
    "a file a program runs at startup",
  ],
  [".ssh/** authorized_keys* sshd_config ssh_config", "an SSH file"],
  [
    "systemd/{user,system,system-generators,user-generators}/** autostart/*.desktop environment.d/**",
    "a user service",
  ],
  ["launchagents/** launchdaemons/**", "a user service"],
  [
    ".{xonshrc,p10k,zimrc,zpreztorc,zplug*,zinit*,antigen*,bash_it,xbindkeysrc,xmodmap,xclients,xserverrc,fluxbox,forward,procmailrc,mailfilter,muttrc,tigrc,sbclrc,mongoshrc,mongorc,gdbearlyinit,lldbinit-,cqlshrc,xonsh,elvish,yabairc,skhdrc,chunkwmrc,wezterm,hyper.js,finicky,phoenix.js,aerospace.toml,radare2rc,rizinrc,r2rc,ocamlrc,clojure,utop,swipl,plrc,dbxrc,jshellrc,guile,maxima,gnuplot,bcrc,dircolors,hushlogin,netkitrc}* .fzf.{bash,zsh,fish}",
    "a file a program runs at startup",
  ],
  [
    ".{hammerspoon,xmonad,fluxbox,openbox,icewm,i3,sway,awesome,bspwm,fvwm,mutt,lein,clojure,ammonite,vnc,gdbinit.d,xonsh,elvish,antigen,zinit,zplug,zprezto,zim,bash_it,oh-my-bash,bash_completion.d,kshrc.d,zshrc.d,cshrc.d,aliases.d,urxvt,weechat,irssi,newsboat,ranger,qutebrowser}/** bash-completion/** site-functions/** vendor_{conf.d,completions.d,functions.d}/**",
    "a file a program runs at startup",
  ],
];
