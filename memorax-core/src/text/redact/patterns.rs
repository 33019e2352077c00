//! Secrets that are known by their looks: a prefix, an alphabet and a length.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder};

/// One kind of secret.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Name that the placeholder carries.
    pub(super) name: &'static str,
    /// One of these occurs, in any case, in every text that the pattern matches.
    pub(super) keywords: &'static [&'static str],
    /// How a keyword stands to the secret.
    pub(super) place: Place,
    /// The secret is the first group, or all of it.
    expression: &'static str,
    /// Bits in a character that the secret has at least; 0 where the looks alone are proof.
    pub(super) entropy: f32,
}

/// How a keyword stands to the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The secret begins with it, and goes on for at least [`SHORTEST_TOKEN`] letters, digits, `_`, `-` and `.`.
    Start,
    /// It is somewhere in the match.
    Somewhere,
}

/// Fewest characters of a secret that begins with a keyword, with the keyword.
pub(super) const SHORTEST_TOKEN: usize = 20;

const fn token(
    name: &'static str,
    keywords: &'static [&'static str],
    expression: &'static str,
    entropy: f32,
) -> Pattern {
    Pattern {
        name,
        keywords,
        place: Place::Start,
        expression,
        entropy,
    }
}

const fn pattern(
    name: &'static str,
    keywords: &'static [&'static str],
    expression: &'static str,
    entropy: f32,
) -> Pattern {
    Pattern {
        name,
        keywords,
        place: Place::Somewhere,
        expression,
        entropy,
    }
}

/// Number of 64-bit words that hold one bit for each pattern.
pub(super) const WORDS_OF_SET: usize = PATTERNS.len().div_ceil(64);

/// The table; of two patterns that overlap the first gives the name.
///
/// Lengths are lower bounds (`{36,}`): a longer token of a next version is hidden as a whole, never with a tail left.
#[rustfmt::skip]
pub(super) const PATTERNS: &[Pattern] = &[
    // Clouds and hosting
    token("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", 3.0),
    pattern("aws-session-token", &["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz"], r"\b(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{40,}", 3.5),
    pattern("aws-bedrock-key", &["ABSK", "bedrock-api-key-"], r"\b(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}", 3.5),
    token("gcp-api-key", &["AIza"], r"AIza[\w-]{35,}", 3.5),
    token("gcp-oauth-secret", &["GOCSPX-"], r"GOCSPX-[\w-]{24,}", 3.0),
    token("gcp-access-token", &["ya29."], r"ya29\.[\w.-]{30,}", 3.5),
    pattern("gcp-refresh-token", &["1//0"], r"\b1//0[\w-]{40,}", 3.5),
    pattern("azure-client-secret", &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"], r"\b[\w~.]{3}[0-9]Q~[\w~.-]{31,}", 3.5),
    pattern("azure-account-key", &["AccountKey=", "SharedAccessKey=", "SharedSecret="], r"(?i)(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{40,}={0,2})", 3.5),
    pattern("azure-sas", &["sig="], r"[?&;]sig=([A-Za-z0-9%+/]{40,}={0,2})", 3.5),
    pattern("azure-devops-token", &["AZDO"], r"\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b", 3.5),
    pattern("azure-search-key", &["AzSe"], r"\b[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}\b", 3.5),
    pattern("azure-cosmos-key", &["ACDb"], r"\b[A-Za-z0-9]{76}ACDb[A-Za-z0-9+/]{5,6}={0,2}", 3.5),
    token("digitalocean-token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{60,}", 3.0),
    token("alibaba-access-key", &["LTAI"], r"LTAI[A-Za-z0-9]{16,26}\b", 3.2),
    token("tencent-secret-id", &["AKID"], r"AKID[A-Za-z0-9]{32}\b", 3.5),
    token("cloudflare-origin-key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}", 3.0),
    pattern("fly-token", &["fo1_", "fm1a_", "fm1r_", "fm2_"], r"\b(?:fo1_[\w-]{40,}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{80,}={0,3})", 3.5),
    token("heroku-key", &["HRKU-"], r"HRKU-[\w-]{36,}", 3.0),
    token("netlify-token", &["nfp_"], r"nfp_[A-Za-z0-9]{36,}", 3.5),
    token("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{28,}", 3.7),
    token("vercel-blob-token", &["vercel_blob_rw_"], r"vercel_blob_rw_\w{30,}", 3.5),
    token("supabase-key", &["sbp_", "sb_secret_"], r"(?:sbp_[a-f0-9]{40,}|sb_secret_[\w-]{24,})", 3.0),
    token("planetscale-token", &["pscale_"], r"pscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{32,}", 3.5),
    token("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}", 3.5),
    pattern("terraform-token", &[".atlasv1."], r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}", 3.5),
    token("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40,}", 3.0),
    token("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[\w-]{20,}", 3.5),
    token("databricks-token", &["dapi"], r"dapi[a-f0-9]{32}(?:-[0-9])?\b", 3.0),
    token("tailscale-key", &["tskey-"], r"tskey-(?:[a-z]+-)?[\w-]{20,}", 3.2),
    token("scalingo-token", &["tk-us-"], r"tk-us-[\w-]{48}", 3.5),
    // Forges and registries
    token("github-pat", &["ghp_"], r"ghp_[A-Za-z0-9]{30,}", 3.5),
    token("github-fine-grained-pat", &["github_pat_"], r"github_pat_\w{40,}", 3.5),
    token("github-oauth", &["gho_"], r"gho_[A-Za-z0-9]{30,}", 3.5),
    token("github-app-token", &["ghu_", "ghs_"], r"gh[us]_[A-Za-z0-9]{30,}", 3.5),
    token("github-refresh-token", &["ghr_"], r"ghr_[A-Za-z0-9]{30,}", 3.5),
    token("gitlab-pat", &["glpat-"], r"glpat-[\w.-]{20,}", 3.0),
    token("gitlab-deploy-token", &["gldt-"], r"gldt-[\w-]{20,}", 3.0),
    token("gitlab-runner-token", &["glrt-", "GR1348941"], r"(?:glrt-|GR1348941)[\w.-]{20,}", 3.0),
    token("gitlab-job-token", &["glcbt-"], r"glcbt-[\w-]{20,}", 3.0),
    token("gitlab-trigger-token", &["glptt-"], r"glptt-[\w-]{20,}", 3.0),
    token("gitlab-feed-token", &["glft-"], r"glft-[\w-]{20,}", 3.0),
    token("gitlab-mail-token", &["glimt-"], r"glimt-[\w-]{20,}", 3.0),
    token("gitlab-agent-token", &["glagent-"], r"glagent-[\w-]{40,}", 3.0),
    token("gitlab-oauth-secret", &["gloas-"], r"gloas-[\w-]{40,}", 3.0),
    token("gitlab-scim-token", &["glsoat-"], r"glsoat-[\w-]{20,}", 3.0),
    token("gitlab-flag-token", &["glffct-"], r"glffct-[\w-]{20,}", 3.0),
    pattern("gitlab-session", &["_gitlab_session="], r"\b_gitlab_session=([a-z0-9]{32,})", 3.0),
    token("bitbucket-app-password", &["ATBB"], r"ATBB[A-Za-z0-9]{28,}\b", 3.5),
    token("bitbucket-token", &["ATCTT3"], r"ATCTT3[\w=-]{80,}", 3.5),
    token("atlassian-token", &["ATATT3", "ATOA"], r"(?:ATATT3|ATOATT3)[\w=-]{80,}", 3.5),
    token("sourcegraph-token", &["sgp_", "slk_"], r"(?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|slk_[a-f0-9]{64})\b", 3.0),
    token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36,}", 3.5),
    token("pypi-token", &["pypi-AgE"], r"pypi-AgE[\w-]{50,}", 3.5),
    token("crates-io-token", &["cio"], r"cio[A-Za-z0-9]{32}\b", 3.8),
    token("rubygems-key", &["rubygems_"], r"rubygems_[a-f0-9]{48}", 3.0),
    token("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}\b", 3.5),
    token("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[\w-]{24,}", 3.5),
    token("clojars-token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{60}", 3.5),
    token("artifactory-key", &["AKCp", "cmVmd"], r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})\b", 4.0),
    token("postman-key", &["PMAK-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3.0),
    token("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCIP(?:AT|RJ)_[A-Za-z0-9]+_[a-f0-9]{40}", 3.0),
    token("buildkite-token", &["bkua_"], r"bkua_[a-z0-9]{40}", 3.0),
    token("sonar-token", &["sqa_", "sqp_", "squ_"], r"sq[apu]_[a-f0-9]{40}\b", 3.0),
    token("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}\b", 3.5),
    token("readme-key", &["rdme_"], r"rdme_[a-z0-9]{60,}", 3.5),
    // Models
    token("anthropic-key", &["sk-ant-"], r"sk-ant-[a-z0-9]+-[\w-]{40,}", 3.5),
    pattern("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "T3BlbkFJ"], r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{40,}|[\w-]{16,}T3BlbkFJ[\w-]{16,})", 3.5),
    token("openrouter-key", &["sk-or-v1-"], r"sk-or-v1-[a-f0-9]{60,}", 3.0),
    token("model-key", &["sk-"], r"sk-[A-Za-z0-9]{32,}\b", 3.2),
    token("elevenlabs-key", &["sk_"], r"sk_[a-f0-9]{48}\b", 3.0),
    token("huggingface-token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{34}\b", 3.7),
    token("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{48,}", 3.7),
    token("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{70,}", 3.7),
    token("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{40,}", 3.7),
    token("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{37}\b", 3.7),
    token("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", 3.0),
    token("nvidia-key", &["nvapi-"], r"nvapi-[\w-]{60,}", 3.7),
    token("pinecone-key", &["pcsk_"], r"pcsk_\w{50,}", 3.7),
    token("tavily-key", &["tvly-"], r"tvly-[\w-]{28,}", 3.5),
    token("sandbox-key", &["e2b_"], r"e2b_[a-f0-9]{40}\b", 3.0),
    token("cursor-key", &["key_"], r"key_[a-f0-9]{64}\b", 3.0),
    token("firecrawl-key", &["fc-"], r"fc-[a-f0-9]{32}\b", 3.0),
    token("jina-key", &["jina_"], r"jina_[\w-]{50,}", 3.7),
    // Chat and webhooks
    pattern("slack-token", &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"], r"\bxox[a-eo-s][.-][\w%.-]{16,}", 2.5),
    token("slack-app-token", &["xapp-"], r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{20,}", 3.0),
    pattern("slack-webhook", &["hooks.slack.com/"], r"\bhooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{30,})", 3.0),
    pattern("discord-webhook", &["/api/webhooks/"], r"\bdiscord(?:app)?\.com/api/webhooks/([0-9]{15,}/[\w-]{50,})", 3.0),
    pattern("discord-bot-token", &["discord", "bot "], r"\b[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}", 4.0),
    pattern("teams-webhook", &[".webhook.office.com/"], r"\.webhook\.office\.com/(webhookb2/[\w@/-]{60,})", 3.0),
    pattern("zapier-webhook", &["hooks.zapier.com/"], r"\bhooks\.zapier\.com/hooks/catch/([\w/]{10,})", 2.0),
    pattern("telegram-bot-token", &[":AA"], r"\b[0-9]{8,10}:AA[\w-]{33}\b", 3.5),
    pattern("matrix-token", &["syt_"], r"\bsyt_[A-Za-z0-9+/=]+_[A-Za-z]{20}_[A-Za-z0-9]{6}\b", 3.5),
    // Payment and shops
    token("stripe-key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}", 3.0),
    pattern("webhook-secret", &["whsec_"], r"\bwhsec_[A-Za-z0-9+/=]{24,}", 3.5),
    token("square-token", &["sq0atp-", "sq0csp-", "EAAA"], r"(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{60}\b)", 3.5),
    token("facebook-token", &["EAAM", "EAAC", "EAAB"], r"EAA[MCB][A-Za-z0-9]{80,}", 3.7),
    token("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"], r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}", 3.0),
    pattern("braintree-token", &["access_token$"], r"\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}", 3.0),
    token("plaid-token", &["access-sandbox-", "access-development-", "access-production-"], r"access-(?:sandbox|development|production)-[0-9a-f-]{36}", 3.0),
    token("flutterwave-key", &["FLWSECK"], r"FLWSECK(?:_TEST)?-[a-z0-9]{12,}(?:-X)?", 3.0),
    token("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}\b", 3.7),
    token("shippo-token", &["shippo_"], r"shippo_(?:live|test)_[a-f0-9]{40}", 3.0),
    token("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[\w=-]{43}", 3.5),
    // Mail and telephone
    token("sendgrid-key", &["SG."], r"SG\.[\w-]{16,32}\.[\w-]{16,}", 3.7),
    token("mailgun-key", &["key-"], r"key-[a-f0-9]{32}\b", 3.0),
    pattern("mailchimp-key", &["-us"], r"\b[a-f0-9]{32}-us[0-9]{1,2}\b", 3.0),
    token("twilio-key", &["sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske", "skf"], r"SK[a-f0-9]{32}\b", 3.0),
    token("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}", 3.0),
    token("resend-key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b", 3.7),
    // Watching
    pattern("sentry-token", &["sntrys_", "sntryu_"], r"\bsntry[su]_[\w+/=-]{50,}", 3.5),
    pattern("newrelic-key", &["NRAK-", "NRII-", "NRAL"], r"\b(?:NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|[a-f0-9]{36}NRAL)\b", 3.0),
    pattern("grafana-token", &["glsa_", "glc_", "eyJrIjoi"], r"\b(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,3}|eyJrIjoi[A-Za-z0-9]{60,}={0,3})", 3.5),
    token("dynatrace-token", &["dt0c01.", "dt0s01."], r"dt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{64}", 3.5),
    token("honeycomb-key", &["hcaik_", "hcalk_", "hcbik_", "hcxik_"], r"hc[abx][il]k_[a-z0-9]{58}", 3.5),
    token("launchdarkly-key", &["sdk-", "api-", "mob-"], r"(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", 3.0),
    token("posthog-key", &["phx_"], r"phx_[A-Za-z0-9]{40,}", 3.7),
    token("axiom-token", &["xaat-", "xapt-"], r"xa[ap]t-[0-9a-f]{8}-[0-9a-f-]{27}", 3.0),
    // Work
    token("linear-key", &["lin_api_", "lin_oauth_"], r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}", 3.5),
    token("notion-token", &["secret_", "ntn_"], r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})\b", 3.7),
    token("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b", 3.0),
    token("figma-token", &["figd_", "figu_", "figo_"], r"fig[duo]_[\w-]{36,}", 3.5),
    token("dropbox-token", &["sl."], r"sl\.[\w-]{120,}", 3.7),
    token("contentful-token", &["CFPAT-"], r"CFPAT-[\w-]{43}", 3.7),
    token("typeform-token", &["tfp_"], r"tfp_[\w.=-]{59}", 3.7),
    token("hubspot-token", &["pat-na", "pat-eu", "pat-ap"], r"pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}-[0-9a-f-]{27}", 3.0),
    pattern("onepassword-token", &["ops_eyJ"], r"\bops_eyJ[A-Za-z0-9+/]{100,}={0,3}", 3.7),
    token("onepassword-key", &["A3-"], r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b", 3.5),
    token("clickup-token", &["pk_"], r"pk_[0-9]+_[A-Z0-9]{32}\b", 3.5),
    token("mapbox-token", &["sk.eyJ"], r"sk\.eyJ[\w-]{50,}\.[\w-]{20,}", 3.7),
    token("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9_-]{32}\b", 3.5),
    token("frameio-token", &["fio-u-"], r"fio-u-[\w=-]{64}", 3.7),
    token("prefect-token", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36}\b", 3.7),
    // Keys and what carries them
    token("age-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[A-Z0-9]{50,}", 3.5),
    pattern("openssh-key", &["b3BlbnNzaC1rZXktdjE"], r"\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/=]{20,})*", 3.0),
    pattern("private-key-base64", &["LS0tLS1CRUdJTiB"], r"\bLS0tLS1CRUdJTiB(?:SU0Eg|QUklW|FQyBQ|PUEVO|FTkNS|EU0Eg|QR1Ag)[A-Za-z0-9+/=]{40,}", 3.0),
    pattern("putty-key", &["Private-Lines:"], r"\bPrivate-Lines: [0-9]+((?:\r?\n[A-Za-z0-9+/=]{16,})+)", 3.0),
    token("bitcoin-key", &["xprv"], r"xprv[A-Za-z0-9]{100,}", 4.0),
    token("jwt", &["eyJ"], r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*){0,3}", 3.5),
    pattern("authorization", &["authorization"], r#"(?i)\bauthorization\\?["'\]]{0,2}\s*[:=,]\s*\\?["'`]?(?:bearer|basic|token|apikey|ssws|bot)\s+([\w+/=.~:-]{8,})"#, 2.9),
    pattern("bearer-token", &["bearer "], r"(?i)\bbearer\s+([\w+/=.~-]{20,})", 3.5),
    pattern("basic-credentials", &["basic "], r"\b[Bb]asic\s+([A-Za-z0-9+/]{20,}={1,2})", 3.5),
    pattern("command-password", &["curl", "sshpass", "pass:", "login "], r#"(?:\bcurl\b[ -~]*?\s(?:-u|--user)[ =]["']?[\w.@+-]+:|\bsshpass\s+-p\s*["']?|\s-pass(?:in|out)?\s+["']?pass:|\blogin[ \t]+[!-~]+\s+password[ \t]+)([!#-&(-~]{4,})"#, 1.5),
    pattern("session-cookie", &["cookie:"], r"(?i)\bcookie:[ -~]*?\b[\w.-]*(?:sess|sid|auth|token)[\w.-]*=([\w%+/.~=-]{20,})", 3.5),
];

/// Returns the expression of a rule, compiled when first asked for: a short-lived process pays for what it meets.
pub(super) fn expression(rule: usize) -> &'static Regex {
    static COMPILED: LazyLock<Vec<OnceLock<Regex>>> =
        LazyLock::new(|| PATTERNS.iter().map(|_| OnceLock::new()).collect());
    COMPILED[rule].get_or_init(|| {
        let pattern = &PATTERNS[rule];
        let expression = match pattern.place {
            // Matched only where a keyword is.
            Place::Start => format!(r"\A(?:{})", pattern.expression),
            Place::Somewhere => pattern.expression.to_owned(),
        };
        RegexBuilder::new(&expression)
            // Secrets are ASCII: small classes compile many times faster.
            .unicode(false)
            .build()
            .expect("a test compiles every expression of the table")
    })
}
