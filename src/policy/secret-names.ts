/**
 * Names and paths of files that hold secrets, in lower case, as all names here are compared. Names that people choose
 * for such files are recognized by their words: secret-words.ts.
 */

export const ENV_FILES =
  ".env .env.* .env-* .env_* .env~ *.env env.{local,prod,production,staging,secret,secrets} .flaskenv .rbenv-vars .dotenv .envkey .dev.vars .dev.vars.* .envs/** .secrets/** .secret/** .credentials/** .auth/** cypress.env.json *.private.env.json *.postman_environment.json local.settings.json connectionstrings.config serverless-state.json";

export const KEY_FILES = [
  "id_{rsa,dsa,ecdsa,ed25519,xmss}* *{_,-}id_{rsa,dsa,ecdsa,ed25519} *.{rsa,ed25519,ecdsa} ssh_host_*_key *.key *.pem *.p8 *.p12 *.pfx *.pkcs12 *.ppk *.jks *.keystore *.bks *.kdbx *.kdb *.agekey *.keytab keytab *.jwt *.jwk *.kwl *.keyring *.psafe3 *.1pux *.1pif *.agilekeychain/** *.opvault/** *.enpassdb",
  "*private*.asc *secret*.asc *-sec.asc *private*.gpg *secret*.gpg secring.* *.keychain *.keychain-db *.ovpn *.tokens *.token *.nmconnection wg?.conf wg??.conf *wireguard*.conf wpa_supplicant*.conf ipsec.secrets {chap,pap}-secrets sasl_passwd* wallet.dat *.wallet *mnemonic*.txt .mnemonic* acme.json",
  "{key,keystore,signing,release-signing,upload-keystore}.properties keys.txt key.txt *age*key*.txt *age*key*.asc kwalletd/** kwallet/** .near-credentials/** .starknet_accounts/** .foundry/keystores/** .brownie/accounts/** .bitcoin/** .ethereum/keystore/** .electrum/wallets/** .sui/*.keystore",
  ".ssh/** .gnupg/** .password-store/** .pki/** .putty/** .age/** sops/age/** wireguard/*.conf .step/** .acme.sh/** .lego/** .vnc/passwd .davfs2/secrets .vagrant/machines/**",
];

export const CREDENTIAL_FILES = [
  ".credentials .credentials.* *.credentials credentials.{json,yml,yaml,toml,ini,xml,csv,db,txt,properties} *{-,_,.}credentials.{json,yml,yaml,csv}",
  "{secret,secrets}.{json,yml,yaml,toml,ini,env,txt,properties,xml} *{-,_,.}{secret,secrets}.{json,yml,yaml} {secret,secrets}.*.{json,yml,yaml} .secret .secrets .secrets.* *.secret *.secrets .kamal/secrets* .act.secrets",
  ".password .passwords *.password *.passwd passwords.* .htpasswd htpasswd *.htpasswd bitwarden_export* lastpass*.csv",
  "service-account*.json service_account*.json serviceaccount*.json *{-,_}sa.json *{-,_}service-account*.json *firebase-adminsdk*.json client_secret* client-secret*.json keyfile.json",
  "application_default_credentials.json storage{,-,_}state*.json rootkey.csv accesskeys*.csv utc--* .renviron token.json token.txt .token .tokens token.pickle *{-,_}token.pickle auth.toml *recovery{-,_}{codes,key}*.{txt,csv,json} *backup{-,_}codes*.{txt,csv,json} *seed{-,_}phrase*.{txt,json}",
  ".netrc* _netrc .authinfo* .pgpass* pgpass.conf .pg_service.conf .odbc.ini .my.cnf .mylogin.cnf .pypirc .git-credentials* git/credentials .dockercfg .dockerconfigjson *.dockerconfigjson",
  ".vault-token* .vault_token* {.vault,vault}{-,_}{pass,password}* {vault,*.vault}.{yml,yaml} .ansible_vault* .s3cfg .s3curl .boto .passwd-s3fs {rclone,.rclone}.conf .bigqueryrc .cassandra/** .cqlshrc cqlshrc",
  "rsyncd.secrets .rsync*pass* .erlang.cookie .rhosts .smbcredentials .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .ftpconfig sftp-config.json .vscode/sftp.json sitemanager.xml recentservers.xml winscp.ini",
];

export const CLOUD_FILES = [
  ".aws/** .azure/** .oci/** .aliyun/** .bluemix/** .tsh/** .snowflake/** .databrickscfg .databricks/** .snowsql/config .terraform.d/** .terraformrc terraform.rc .tofurc tofu.rc *.tfrc.json *.tfrc .nomad-token .consul-token .saml2aws .edgerc .s3ql/** .ibmcloud/** .tccli/** .hcloud/** .ossutilconfig .cos.conf .bceconfig .huaweicloud/**",
  "gcloud/{credentials.db,access_tokens.db,application_default_credentials.json} gcloud/legacy_credentials/** .config/{gcloud,gh,glab-cli,hub,op,doctl,hcloud,heroku,stripe,ngrok,rclone,sops,age,linode-cli,anthropic,openai,solana}/**",
  "gh/hosts.yml hub/hosts.yml .kube/** kubeconfig* *.kubeconfig* *{-,_}kubeconfig* kube{_,-}config* kube.{config,conf} kubeconfigs/** .kubeconfig* {k3s,rke2,microk8s}.yaml *.rkestate talosconfig* .docker/config.json containers/auth.json helm/{registry/config,registry,repositories}.{json,yaml} bootstrap-kubelet.conf",
  "*.tfvars *.tfvars.json *.tfstate *.tfstate.* *.tfstate~ *.tfstate-* tfplan tfplan.* tfplan-* *.tfplan* {plan,terraform,tofu}.{tfplan,plan} plan.out terraform.tfstate.d/** .pulumi/** .alchemy/** .sst/state/**",
  ".subversion/auth/** krb5cc* adbkey talsecret*.{yml,yaml} {super-admin,admin,kubelet}.conf pulumi.*.{yml,yaml} *.tfbackend {node,join,agent,bootstrap,server,worker}-token k3s-token* {vault-init,vault-keys,unseal-keys,cluster-keys,init-keys}*.{json,txt,yml,yaml} *keypair*.json *.{jceks,bcfks,bcfips} sentry.properties .runner .credentials_rsaparams .cvspass .p4tickets .p4enviro .arcrc .modal.toml .flyrc .xauthority .iceauthority .redisclirc .phabricatorrc",
  "{.jfrog,.platformsh,.platformsh-cli,.terminus,.acquia,.magento-cloud,.gitlab-runner,.hardhat,.kubelogin,.cachix,.attic,.remmina,.anydesk,.lastpass,.sigstore,.duplicacy,.purple,.bazaar}/** hardhat-nodejs/vars.json breezy/authentication.conf .bzr/authentication.conf weechat/sec.conf .weechat/sec.conf nix/netrc cachix/cachix.dhall attic/config.toml {clever-tools,.clever-tools,.packet-cli,.metal}.{json,yml,yaml} upctl.{yml,yaml} borg/keys/** .borg/keys/** gitlab-runner/config.toml .wp-cli/config.yml",
  "clouds.{yml,yaml} secure.{yml,yaml} *openrc.sh openrc *{-,_,.}openrc keystonerc* novarc",
  ".fly/config.yml .netlify/config.json .railway/config.json .wrangler/config/** .sentryclirc .clasprc.json .kaggle/** kaggle.json .huggingface/** huggingface/{token,stored_tokens} .twilio-cli/** .ngrok2/** .mc/config.json .influxdbv2/**",
];

export const TOOL_SECRETS = [
  ".cargo/credentials* .gem/credentials* .m2/settings*.xml .ivy2/.credentials .sbt/.credentials .composer/auth.json composer/auth.json .gradle/gradle.properties pypoetry/auth.toml .hex/hex.config .npm_token .npmtoken",
  ".claude/.credentials* {.codex,.factory,.copilot,.grok,.kilo,.amp,.cursor,.pi,.kimi,.vibe,.rovodev}/auth*.json .gemini/{oauth_creds,google_accounts,mcp-oauth-tokens,mcp-oauth-tokens-v2}.json .qwen/{oauth_creds,mcp-oauth-tokens}.json {opencode,kilo,crush,goose,amp,cursor,factory}/auth.json .anthropic/** .openai/** github-copilot/{hosts,apps,oauth}.json io.datasette.llm/keys.json .grok/user-settings.json",
  "cookies.sqlite* key3.db key4.db login?data login?data?for?account cookies.binarycookies cookies.{txt,db} cookiejar .cookies playwright/.auth/** keyrings/**",
];

/** What was typed into shells and consoles. */
export const HISTORY_FILES =
  ".*_history* .*-history* .histfile* .zhistory* .sh_history* fish_history* {bash,zsh,ksh,csh,tcsh,psql,mysql,mariadb,sqlite,python,ipython,node_repl,irb,pry,rediscli,mongo,mongosh,mongosh_repl,duckdb,clickhouse,influx,consolehost,powershell,xonsh,nu,atuin,r,julia,php,psysh,lldb,gdb}_history* .{bash,zsh}_sessions/** psreadline/** .viminfo .lesshst .recently-used";
