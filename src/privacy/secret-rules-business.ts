/** Token formats of payment, messaging, mail and office services. */
import {
  ALNUM,
  ALNUM_30,
  bounded,
  exactly,
  HEX_32,
  mixed,
  random,
  rules,
  type TokenRule,
  UUID,
  WORD,
  WORD_16,
  WORD_20,
  WORD_40,
  withHead,
} from "./secret-rule.ts";

/** Nine digits of a Discord id in base64, without its padding. */
const DISCORD_GROUP = "[AEIMQUYcgk][w-z0-5]";

const OKTA = /(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[g-z])(?=[\w-]{0,40}[A-Z])[\w-]{40}(?![\w-])/y;

export const BUSINESS_RULES: readonly TokenRule[] = [
  // Payments
  ...rules("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_ whsec_", WORD_16),
  ...rules("toss-key", "live_sk_ test_sk_ live_gsk_ test_gsk_", random(ALNUM, 20)),
  ...bounded("payment-key", "live_", mixed(ALNUM, 30)),
  ...rules("square-token", "sq0atp- sq0csp- sq0idp-", WORD_20),
  ...bounded("square-token", "EAAA", /[\w-]{50,}/y),
  ...rules("paypal-token", "access_token$production$ access_token$sandbox$", /[a-z0-9]{16}\$[a-f0-9]{32}/y),
  ...rules("shopify-token", "shpat_ shpca_ shppa_ shpss_", HEX_32),
  ...rules("shippo-token", "shippo_live_ shippo_test_", HEX_32),
  ...rules("easypost-key", "EZAK EZTK", /[A-Za-z0-9]{54}/y),
  ...rules("flutterwave-key", "FLWSECK", /[_A-Z]{0,5}-[A-Za-z0-9]{12,}(?:-X)?/y),
  ...rules("plaid-token", "access-sandbox- access-production- access-development-", UUID),
  ...rules("paddle-key", "pdl_live_ pdl_sdbx_ pdl_ntfset_", random(WORD, 24)),
  ...rules("polar-token", "polar_oat_ polar_pat_ polar_whs_", random(WORD, 24)),
  ...rules("duffel-token", "duffel_live_ duffel_test_", WORD_40),

  // Messaging
  ...rules("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxe- xwfp-", /[A-Za-z0-9-]{16,}/y),
  ...rules("slack-token", "xoxd-", /[A-Za-z0-9%+/-]{16,}/y),
  ...rules("slack-token", "xoxe.", /xox[bp]-[A-Za-z0-9-]{16,}/y),
  ...rules("slack-token", "xapp-", /\d-[A-Za-z0-9-]{16,}/y),
  ...rules("slack-webhook", "hooks.slack.com/", /(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,}/y),
  ...rules("discord-webhook", "/api/webhooks/", /\d{16,20}\/[\w-]{50,}/y),
  ...discordBot(),
  ...bounded("discord-token", "mfa.", mixed(WORD, 80)),
  ...rules("teams-webhook", ".webhook.office.com/", /webhookb2\/[\w@-]{36,}\/[\w/-]{36,}/y),
  ...rules("zapier-webhook", "hooks.zapier.com/hooks/catch/", /\d{4,12}\/[a-z0-9]{5,12}/y),
  ...rules("lark-webhook", "/open-apis/bot/v2/hook/", UUID),
  ...rules("wecom-webhook", "/cgi-bin/webhook/send?key=", UUID),
  ...rules("telegram-token", ":AA", /[\w-]{33}(?![\w-])/y),
  ...bounded("twilio-key", "SK", /[a-f0-9]{32}(?![A-Za-z0-9])/y),
  ...bounded("telnyx-key", "KEY", /[A-F0-9]{32}_[A-Za-z0-9]{22}/y),
  ...rules("onesignal-key", "os_v2_app_ os_v2_org_", random("a-z0-9", 40)),
  ...withHead("fcm-key", "[\\w-]{8,30}", ":APA91b", /[\w-]{60,}/y),

  // Mail
  ...bounded("sendgrid-key", "SG.", /[\w-]{16,32}\.[\w-]{32,}/y),
  ...bounded("mailchimp-key", "md-", /[\w-]{22}(?![\w-])/y),
  ...withHead("mailchimp-key", "[a-f0-9]{32}", "-us", /\d{1,2}(?![A-Za-z0-9])/y),
  ...rules("mailgun-key", "key-", /[a-f0-9]{32}(?![A-Za-z0-9])/y),
  ...rules("sendinblue-key", "xkeysib- xsmtpsib-", /[a-f0-9]{64}-[A-Za-z0-9]{16}/y),
  ...bounded("resend-key", "re_", /(?=\w{0,30}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/y),
  ...rules("mailersend-key", "mlsn.", HEX_32),
  ...bounded("klaviyo-key", "pk_", /[a-f0-9]{34}(?![A-Za-z0-9])/y),
  ...bounded("clickup-token", "pk_", /\d{4,12}_[A-Z0-9]{32}/y),

  // Offices, forms, designs, maps
  ...rules("linear-key", "lin_api_ lin_oauth_ lin_wh_", ALNUM_30),
  ...rules("notion-token", "ntn_", /\d{8,}[A-Za-z0-9]{30,}/y),
  ...bounded("notion-token", "secret_", exactly(ALNUM, 43)),
  ...rules("airtable-token", "pat", /[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  ...bounded(
    "asana-token",
    "0/ 1/ 2/",
    /(?:\d{13,20}(?:\/\d{13,20})?:[a-f0-9]{32}|[a-f0-9]{32})(?![A-Za-z0-9])/y,
  ),
  ...bounded("intercom-token", "dG9rO", /[A-Za-z0-9+/]{40,}={0,2}/y),
  ...bounded("hubspot-token", "pat-", /[a-z]{2}\d-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}/iy),
  ...bounded("okta-token", "00", OKTA),
  ...bounded("salesforce-token", "00D", /[A-Za-z0-9]{12,15}![\w.]{60,}/y),
  ...bounded("mapbox-token", "sk.eyJ tk.eyJ", /[\w-]{10,}\.[\w-]{16,}/y),
  ...rules("contentful-token", "CFPAT-", WORD_40),
  ...rules("typeform-token", "tfp_", random("\\w.=-", 40)),
  ...bounded("dropbox-token", "sl.", mixed(WORD, 60)),
  ...bounded("dropbox-token", "sl.u.", mixed(WORD, 60)),
  ...bounded("sanity-token", "sk", mixed(ALNUM, 80)),

  // Social networks
  ...bounded("facebook-token", "EAA", mixed(ALNUM, 60)),
  ...bounded("instagram-token", "IGQV IGQW IGAA THAA", mixed(WORD, 60)),
  ...bounded(
    "twitter-token",
    "AAAAAAAAAAAAAAAAAAAA",
    /A{0,3}(?=[A-Za-z0-9%]{0,60}\d)[A-Za-z0-9%]{60,}(?![+/=A-Za-z0-9])/y,
  ),
  ...rules("vk-token", "vk1.a.", WORD_40),
  ...bounded("pinterest-token", "pina_", mixed(ALNUM, 30)),
];

/** A bot's token starts with its id, digits in base64: no fixed prefix, but few possible beginnings. */
function discordBot(): TokenRule[] {
  const body = new RegExp(
    `${DISCORD_GROUP}(?:[MNO][DTjz]${DISCORD_GROUP}){4,6}[\\w-]{0,3}\\.[\\w-]{6}\\.[\\w-]{27,}`,
    "y",
  );
  const beginnings = ["M", "N", "O"].flatMap((first) => ["D", "T", "j", "z"].map((second) => first + second));
  return bounded("discord-token", beginnings.join(" "), body);
}
