/** Folders that hold secrets under any name: of a home, and of the machine. */

/** Clients of clouds, clusters, registries, services and password stores, by the folder of their login. */
const CLIENTS =
  "{akeyless,algolia,argocd,astro,astronomer,atlas,atlascli,auth0,aws-sso-cli,aws-vault,b2,backblaze,bitwarden?cli,boundary,buildkite,bk,circleci,civo,clearml,cloudflared,cockroach,com.vercel.cli,comet,confluent,conjur,convex,dagster,databricks,datadog,deta,devspace,doppler,dropbox,drone,edgedb,equinix,exoscale,firebase,flyctl,fly,gdrive,gel,gopass,grafana,granted,gridscale,gsutil,honeycomb,httpie/sessions,hubspot,ibmcloud,infisical,infracost,insomnia,ionosctl,jira,jenkins-cli,keepassxc,koyeb,kopia,lastpass,leapp,lens,linear,linode,lpass,metal,mailgun,minio,mlflow,modal,mongodb,ms-teams,neonctl,neptune,netbird,netlify,newrelic,northflank,notion,okteto,okta,openstack,opentofu,ovh,packet,planetscale,postman,prefect,prisma-platform-cli,proton,pscale,qovery,rancher,rbw,render,replicate,restic,rhoas,runpod,saml2aws,scaleway,scw,selectel,semaphore,sendgrid,sentry,shopify,signal,slack,smallstep,snowflake,spacelift,step,supabase,tailscale,talos,tea,teleport,telegram-desktop,telegramdesktop,tencent,tofu,travis,turso,twilio,twilio-cli,upcloud,upstash,vastai,vault,vercel,vultr-cli,vultr,wandb,woodpecker,wrangler,.wrangler,xata,yandex-cloud,zeabur}";

/** In a home: folders that hold more than names can show. */
export const SECRET_HOME_FOLDERS = [
  `.config/${CLIENTS}/** .local/share/${CLIENTS}/** library/preferences/${CLIENTS}/**`,
  ".{argocd,talos,rancher,cloudflared,supabase,circleci,dbt,vercel,fly,netlify,railway,turso,neon,upstash,render,koyeb,convex,firebase,wandb,modal,replicate,runpod,vastai,kaggle,okta,auth0,doppler,infisical,smallstep,boundary,teleport,civo,exoscale,scw,ovh,vultr,linode,upcloud,qovery,okteto,astro,prefect,dagster,snowsql,confluent,mongodb,atlas,redis,sendgrid,mailgun,postman,insomnia,httpie,jira.d,travis,drone,buildkite,jenkins,spacelift,infracost,shopify,hubspot,microsoft/usersecrets,aspnet,authy,granted,leapp,awsvault,saml2aws.d,near,sui,aptos,monero,dropbox,tailscale,oci-cli}/**",
  ".vultr-cli.{yml,yaml} .linode-cli .scwrc .exoscale* .civo.json .ovh.conf .sendgrid* .travis/config.yml .jira* .okta* .snyk/** .config/{cursor,kilo,factory,crush,goose,opencode,amp,codex,grok,kimi}/{auth,credentials,token,session}*.json .continue/config.{json,yml,yaml,ts} .codeium/config.json .copilot/config.json .cursor/{session,auth}*.json .cache/huggingface/{token,stored_tokens}",
  ".{gcloud,ionos,heroku,planetscale,kopia,borg,crane,lambda_cloud,together,cohere,expo,eas,rustic,azuredevops,gdrive,devpod,snyk,artifactory,quay,ecr,porter,pantheon,msf4,onedrive,aws-sam,aws-sso,aws-vault,granted,scaleway,hetzner,digitalocean,openstack,k0s,k0sctl,talosctl,omni,crossplane,upbound,gardener,gardenctl,spotinst,akuity,codefresh,harness,cloudbees,octopus,launchdarkly,posthog,plaid,coinbase,binance,deepgram,elevenlabs,mistral,groq,perplexity,fireworks,cerebras,paperspace,coreweave,nebius,anyscale,ray,clearml}/** .config/{borg,rustic,devpod,snyk,clever-cloud,rustdesk,teamviewer,hardhat-nodejs,cachix,attic,omni,upbound,crossplane,garden,harness,akuity,codefresh,octopus,launchdarkly,posthog,paperspace,coreweave,nebius,anyscale,groq,mistral,.jira,irssi,aerc,himalaya,neomutt,mutt,msmtp,isync,vdirsyncer,gcalcli,remmina,freerdp,filezilla}/** .local/share/{remmina,devpod,rustdesk}/** .humanitec* .upctl* .anyconnect .vpnc/** .cisco/** .pulse_secure/** .forticlient/** .rdp/**",
  ".npmrc .yarnrc.yml .local/share/{keyrings,kwalletd,kwallet,atuin,gnome-keyring,containers/auth.json}/** .local/share/{keyrings,kwalletd,atuin}/** library/{keychains,cookies,safari,messages,mail,containers,group?containers,passes}/**",
  ".mozilla/** .thunderbird/** .librewolf/** .zen/** .waterfox/** .floorp/** .palemoon*/** .tor*browser*/** .config/{google-chrome*,chromium*,brave*,bravesoftware,microsoft-edge*,vivaldi*,opera*,thorium*,yandex-browser*,bitwarden*,1password*,keepass*,keepassxc,slack,discord*,signal*,element*,microsoft?teams*,teams*,zoom*,whatsapp*,skype*,mattermost*}/**",
  "library/application?support/{google,arc,firefox,chromium,bravesoftware,microsoft?edge*,vivaldi*,com.operasoftware*,zen,orion,1password*,bitwarden*,keepassxc,slack,discord*,signal*,element*,telegram*,microsoft/teams,zoom.us,com.vercel.cli,com.apple.tcc,addressbook,configstore,netlify,heroku,gcloud,doctl,op,stripe,ngrok,argocd,atuin}/**",
  "snap/{firefox,chromium,brave,opera,vivaldi,thunderbird,slack,discord,telegram-desktop,bitwarden,doctl,gh,heroku,aws-cli,google-cloud-sdk}/** .var/app/**",
  ".history* .*history .local/state/{bash,zsh,fish,python,psql,mysql,sqlite,node,less,nushell,mongosh,duckdb}/** .config/nushell/history* .config/configstore/{firebase-tools,snyk,heroku,netlify,surge,now,vercel}*.json .mongodb/** .local/share/{fish,nushell,powershell,mongosh,duckdb}/*history*",
].join(" ");

export const SECRET_SYSTEM_PATHS: readonly string[] = [
  "/etc/{shadow*,gshadow*,sudoers*,krb5.keytab,security/opasswd,master.passwd,spwd.db}",
  "/etc/{sudoers.d,ssl/private,wireguard,openvpn,kubernetes,letsencrypt/live,letsencrypt/archive,rancher,swanctl,wpa_supplicant,cloudflared,vault.d,vault}/**",
  "/etc/pki/**/private/**",
  "/etc/{ppp/*-secrets,postfix/sasl_passwd*,exim4/passwd.client,mysql/debian.cnf,docker/key.json,ceph/*.keyring,ipsec.secrets,gitlab/gitlab-secrets.json}",
  "/etc/{networkmanager/system-connections,netplan,iwd,pve/priv,openldap/certs}/**",
  "/etc/ssh/ssh_host_*_key",
  "/proc/{*,*/task/*}/{environ,mem,auxv}",
  "/proc/{*/root,*/task/*/root}/**",
  "/proc/kcore",
  "/dev/{mem,kmem}",
  "/{run,var/run}/{secrets,credentials,user/*/keyring}/**",
  "/{root,var/root,home/*,users/*}/{.ssh,.aws,.gnupg,.kube}/**",
  "/private/var/db/dslocal/**",
  "/var/lib/{rancher,kubelet/pki,jenkins/secrets,samba/private,iwd,vault,tailscale,systemd/random-seed,boundary,teleport,sss/secrets}/**",
  "/var/snap/microk8s/**/credentials/**",
  "/{tmp,var/tmp,run/user/*,var/run/user/*}/krb5cc*",
  "/etc/{gitlab-runner,consul.d,nomad.d,boundary.d,k0s,salt/pki,puppetlabs/puppet/ssl/private_keys,dovecot/private,pulse,tinc,strongswan,ipsec.d/private,grafana/secrets,gitea-runner,forgejo-runner,buildkite-agent}/**",
  "/etc/{apt/auth.conf*,rclone.conf,teleport.yaml,apt/auth.conf.d/*}",
  "/var/lib/{docker/swarm,gitlab-runner,etcd,k0s,consul,nomad,sss/db,buildkite-agent,gitea,forgejo}/**",
  "/var/backups/{shadow*,gshadow*,passwd*}",
];
