import type { FilePatterns } from "./runs-later-patterns.ts";

/** Files that services act on: CI pipelines, deployments and bots, on a push or on a timer. */
export const CI_FILES: FilePatterns = [
  [
    ".github/{workflows,actions,scripts,hooks,codespaces}/** .github/*.{yml,yaml,json,json5,toml,sh,py,js,cjs,mjs,ts}",
    "a GitHub CI file",
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
  [
    ".*/workflows/** .*/pipelines/** .workflow/** .workflows/** .pipeline/** .*-ci/** .ci-*/** ci_scripts/** .bazelci/** .kokoro/** .lighthouse/** .tugboat/** .argocd/** .screwdriver/** .werft/** .cicd/** .cd/** .deploy/** .cloudcannon/** {cicd,ci-cd}/*.{yml,yaml}",
    "a CI pipeline",
  ],
  [
    ".*-ci.{yml,yaml,json,toml} .*_ci.{yml,yaml} .*.ci.{yml,yaml} .ci-*.{yml,yaml,json} .ci.* .*-pipeline*.{yml,yaml} .*-build.{yml,yaml} .space.kts .cnb.{yml,yaml} .cnb/** .gitee/** .gitcode/**",
    "a CI pipeline",
  ],
  [
    "{buildkite,.buildkite}.{yml,yaml,json} azure-pipeline* circle.{yml,yaml} {.scrutinizer,.styleci,.codemagic,.bitrise,.sourcehut,.codeship,.wercker,.screwdriver,.evergreen-ci,.bamboo,.pipelines,.pipeline,.jobs,.cd,.deploy,.release-ci,.probo,.abstruse,.solano,solano,.snap-ci,.magnum,.nevercode,.shipit,shipit,.tugboat,.lagoon,.pyup,.depfu,.deepsource,.sider,.houndci,.nimbleci,.testground}.{yml,yaml,toml}",
    "a CI pipeline",
  ],
  [
    "{jenkins-x,acquia-pipelines,travis,gitlab-ci,codebuild}.{yml,yaml} jenkins-x-*.{yml,yaml} *-pipelines.{yml,yaml} ci/{tasks,pipelines,jobs,scripts}/** .cirrus/** master.cfg",
    "a CI pipeline",
  ],
  [
    "{.spacelift,.atlantis,.digger,.env0,.terrateam,.scalr,.burrito}/** {atlantis,digger,env0,.digger,.env0,.terrateam}.{yml,yaml} .tfc/** .terrateam/**",
    "a deployment",
  ],
  [
    ".cpanel.{yml,yaml} .deployment .ebextensions/** .elasticbeanstalk/** .platform/** .platform.*.{yml,yaml} app.platform.{yml,yaml} .openshift/** .s2i/** .upsun/** .do/** .kamal/** .shipit/** .buildpacks .koyeb/** .zeabur/** .lagoon/** .vercel/*.json",
    "a deployment",
  ],
  [
    "{fly,.fly,fly.*}.toml {railway,railpack,zeabur,northflank,koyeb}.{json,toml,yml,yaml} captain-definition nixpacks.toml {heroku,.qovery,qovery,.lando,pantheon,pantheon.upstream,apphosting,apphosting.*,okteto,.render}.{yml,yaml} waypoint.hcl .okteto/**",
    "a deployment",
  ],
  [
    "dangerfile* .bors.toml bors.toml .kodiak.toml .asf.{yml,yaml} {sweep,ellipsis,.ellipsis,.pullapprove,pullapprove,.policy,.allstar,.stale,.probot,.mergequeue,.aviator,.autobot,.gitstream,.prettierbot,.imgbot,.sourcery,.korbit,.bito}.{yml,yaml} .cm/** .aviator/** .allstar/** {greptile,.greptile,greenkeeper,.imgbotconfig}.json .imgbotconfig .whitesource .graphite/** .pr-agent.toml .pr_agent/** .coderabbit/** .ellipsis/** .sourcery/**",
    "a bot's configuration",
  ],
  [
    "{.crow,.radicle,.laminar,.buildbot,.hydra,.hercules,.hercules-ci,.depot,.blacksmith,.namespace,.earthly,.bitbucket,.aws-codebuild,.codebuild,.gitness,.sourcehut,.cico,.obs,.xcodecloud,.appcenter,.tangled,.codecatalyst,.buildjet,.warpbuild,.runson,.ubicloud,.garnix,.gocd,.nevercode,.fmf,.testing-farm,.gitlab-ci-local,.gitlab-ci.d,.act,.wrkflw,.strider,.werf,.pipecd,.flux}/** {.forgejo,.gitea,.gogs,.codeberg}/*.{yml,yaml,json,toml,sh}",
    "a CI pipeline",
  ],
  [
    ".gitlab-ci-local* {.crow,.cirun,.tide,.testing-farm,.nevercode,.runs-on,.buildjet,.depot,.laminar,.hydra,.radicle,.werf,werf,.pipecd,app.pipecd,.azure-pipelines,.codecatalyst,.gaia,.actrc,.obs,.appcenter}.{yml,yaml,json,toml} {depot,hydra,eas}.json .actrc .nevercode .runs-on/** app.pipecd.{yml,yaml} jobspec*.{yml,yaml} .gitlab-ci-*/**",
    "a CI pipeline",
  ],
  [
    "{.goreleaser,goreleaser}.* .goreleaser-*.{yml,yaml} .goreleaser/** .releaserc* {release,semantic-release,release-it,auto,shipit,np,changelogen,release-plan}.config.* {.release-it,.np-config,.shipitrc,.autorc,.publishrc,.release-plan,.semrel}* .semrelrc* .versionrc* .standard-version* {.jreleaser,jreleaser}.{yml,yaml,toml,json} .jreleaser/** {.craft,.uplift,.svu,.ko,.gitversion,gitversion}.{yml,yaml} cog.toml release.toml .release.{json,toml,yml,yaml} dist-workspace.toml .bumpversion.{cfg,toml} .bumpversion/** {.pkgr,.bump}.{yml,yaml,toml}",
    "a release script",
  ],
  [
    "procfile procfile.* *.procfile .foreman .overmind* {process-compose,mprocs,.mprocs}*.{yml,yaml} {.tmuxinator,.tmuxp,.smug,.teamocil,.zellij}.* {.tmuxinator,.tmuxp,.smug,.zellij}/** ecosystem.config.* {pm2,.pm2}.{json,yml,yaml} supervisord*.conf .hivemind* .honcho",
    "a list of processes to start",
  ],
  [
    "{dokku,scalingo,.clever}.json dokku_scale .dokku/** clevercloud/** .clever/** {capfile,.mina,.capistrano/**} config/deploy.{yml,yaml,rb} config/deploy/*.{rb,yml,yaml} config/deploy.*.{yml,yaml} .deployer/** deploy.php .deploy.* .deployment.* .fabricrc .piku/** .gigalixir/** .porter/** porter.{yml,yaml} .sevalla/** .coolify/** .dokploy/** .caprover/** .cloud66/** .aptible.yml .convox/** convox.yml .humanitec/** score.{yml,yaml} .encore/** encore.app .defang/** .stormkit.* stormkit.config.* .edgio/** .azion/** .deta/** .space/** spacefile",
    "a deployment",
  ],
];
