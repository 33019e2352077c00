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
    /// The secret is the first group, or all of it.
    expression: &'static str,
    /// Bits in a character that the secret has at least; 0 where the looks alone are proof.
    pub(super) entropy: f32,
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
        expression,
        entropy,
    }
}

/// Number of 64-bit words that hold one bit for each pattern.
pub(super) const SET_WORDS: usize = PATTERNS.len().div_ceil(64);

/// The table; of two patterns that overlap the first gives the name.
///
/// Lengths are lower bounds (`{36,}`): a longer token of a next version is hidden as a whole, never with a tail left.
#[rustfmt::skip]
pub(super) const PATTERNS: &[Pattern] = &[
    // Clouds and hosting
    pattern("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", 3.0),
    pattern("aws-session-token", &["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz"], r"\b(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{40,}", 3.5),
    pattern("aws-bedrock-key", &["ABSK", "bedrock-api-key-"], r"\b(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}", 3.5),
    pattern("gcp-api-key", &["AIza"], r"\bAIza[\w-]{35,}", 3.5),
    pattern("gcp-oauth-secret", &["GOCSPX-"], r"\bGOCSPX-[\w-]{24,}", 3.0),
    pattern("gcp-access-token", &["ya29."], r"\bya29\.[\w.-]{30,}", 3.5),
    pattern("gcp-refresh-token", &["1//0"], r"\b1//0[\w-]{40,}", 3.5),
    pattern("azure-client-secret", &["Q~"], r"\b[\w~.]{3}[0-9]Q~[\w~.-]{31,}", 3.5),
    pattern("azure-account-key", &["AccountKey=", "SharedAccessKey=", "SharedSecret="], r"(?i)(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{40,}={0,2})", 3.5),
    pattern("azure-sas", &["sig="], r"[?&;]sig=([A-Za-z0-9%+/]{40,}={0,2})", 3.5),
    pattern("azure-devops-token", &["AZDO"], r"\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b", 3.5),
    pattern("azure-search-key", &["AzSe"], r"\b[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}\b", 3.5),
    pattern("azure-cosmos-key", &["ACDb"], r"\b[A-Za-z0-9]{76}ACDb[A-Za-z0-9+/]{5,6}={0,2}", 3.5),
    pattern("digitalocean-token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"\bdo[opr]_v1_[a-f0-9]{60,}", 3.0),
    pattern("alibaba-access-key", &["LTAI"], r"\bLTAI[A-Za-z0-9]{16,26}\b", 3.2),
    pattern("tencent-secret-id", &["AKID"], r"\bAKID[A-Za-z0-9]{32}\b", 3.5),
    pattern("cloudflare-origin-key", &["v1.0-"], r"\bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,}", 3.0),
    pattern("fly-token", &["fo1_", "fm1a_", "fm1r_", "fm2_"], r"\b(?:fo1_[\w-]{40,}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{80,}={0,3})", 3.5),
    pattern("heroku-key", &["HRKU-"], r"\bHRKU-[\w-]{36,}", 3.0),
    pattern("netlify-token", &["nfp_"], r"\bnfp_[A-Za-z0-9]{36,}", 3.5),
    pattern("render-key", &["rnd_"], r"\brnd_[A-Za-z0-9]{28,}", 3.7),
    pattern("vercel-blob-token", &["vercel_blob_rw_"], r"\bvercel_blob_rw_\w{30,}", 3.5),
    pattern("supabase-key", &["sbp_", "sb_secret_"], r"\b(?:sbp_[a-f0-9]{40,}|sb_secret_[\w-]{24,})", 3.0),
    pattern("planetscale-token", &["pscale_"], r"\bpscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{32,}", 3.5),
    pattern("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}", 3.5),
    pattern("terraform-token", &[".atlasv1."], r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}", 3.5),
    pattern("pulumi-token", &["pul-"], r"\bpul-[a-f0-9]{40,}", 3.0),
    pattern("vault-token", &["hvs.", "hvb.", "hvr."], r"\bhv[sbr]\.[\w-]{20,}", 3.5),
    pattern("databricks-token", &["dapi"], r"\bdapi[a-f0-9]{32}(?:-[0-9])?\b", 3.0),
    pattern("tailscale-key", &["tskey-"], r"\btskey-(?:[a-z]+-)?[\w-]{20,}", 3.2),
    pattern("scalingo-token", &["tk-us-"], r"\btk-us-[\w-]{48}", 3.5),
    // Forges and registries
    pattern("github-pat", &["ghp_"], r"\bghp_[A-Za-z0-9]{30,}", 3.5),
    pattern("github-fine-grained-pat", &["github_pat_"], r"\bgithub_pat_\w{40,}", 3.5),
    pattern("github-oauth", &["gho_"], r"\bgho_[A-Za-z0-9]{30,}", 3.5),
    pattern("github-app-token", &["ghu_", "ghs_"], r"\bgh[us]_[A-Za-z0-9]{30,}", 3.5),
    pattern("github-refresh-token", &["ghr_"], r"\bghr_[A-Za-z0-9]{30,}", 3.5),
    pattern("gitlab-pat", &["glpat-"], r"\bglpat-[\w.-]{20,}", 3.0),
    pattern("gitlab-deploy-token", &["gldt-"], r"\bgldt-[\w-]{20,}", 3.0),
    pattern("gitlab-runner-token", &["glrt-", "GR1348941"], r"\b(?:glrt-|GR1348941)[\w.-]{20,}", 3.0),
    pattern("gitlab-job-token", &["glcbt-"], r"\bglcbt-[\w-]{20,}", 3.0),
    pattern("gitlab-trigger-token", &["glptt-"], r"\bglptt-[\w-]{20,}", 3.0),
    pattern("gitlab-feed-token", &["glft-"], r"\bglft-[\w-]{20,}", 3.0),
    pattern("gitlab-mail-token", &["glimt-"], r"\bglimt-[\w-]{20,}", 3.0),
    pattern("gitlab-agent-token", &["glagent-"], r"\bglagent-[\w-]{40,}", 3.0),
    pattern("gitlab-oauth-secret", &["gloas-"], r"\bgloas-[\w-]{40,}", 3.0),
    pattern("gitlab-scim-token", &["glsoat-"], r"\bglsoat-[\w-]{20,}", 3.0),
    pattern("gitlab-flag-token", &["glffct-"], r"\bglffct-[\w-]{20,}", 3.0),
    pattern("gitlab-session", &["_gitlab_session="], r"\b_gitlab_session=([a-z0-9]{32,})", 3.0),
    pattern("bitbucket-app-password", &["ATBB"], r"\bATBB[A-Za-z0-9]{28,}\b", 3.5),
    pattern("bitbucket-token", &["ATCTT3"], r"\bATCTT3[\w=-]{80,}", 3.5),
    pattern("atlassian-token", &["ATATT3", "ATOA"], r"\b(?:ATATT3|ATOATT3)[\w=-]{80,}", 3.5),
    pattern("sourcegraph-token", &["sgp_", "slk_"], r"\b(?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|slk_[a-f0-9]{64})\b", 3.0),
    pattern("npm-token", &["npm_"], r"\bnpm_[A-Za-z0-9]{36,}", 3.5),
    pattern("pypi-token", &["pypi-AgE"], r"\bpypi-AgE[\w-]{50,}", 3.5),
    pattern("crates-io-token", &["cio"], r"\bcio[A-Za-z0-9]{32}\b", 3.8),
    pattern("rubygems-key", &["rubygems_"], r"\brubygems_[a-f0-9]{48}", 3.0),
    pattern("nuget-key", &["oy2"], r"\boy2[a-z0-9]{43}\b", 3.5),
    pattern("docker-token", &["dckr_pat_", "dckr_oat_"], r"\bdckr_[po]at_[\w-]{24,}", 3.5),
    pattern("clojars-token", &["CLOJARS_"], r"\bCLOJARS_[a-z0-9]{60}", 3.5),
    pattern("artifactory-key", &["AKCp", "cmVmd"], r"\b(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})\b", 4.0),
    pattern("postman-key", &["PMAK-"], r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3.0),
    pattern("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]+_[a-f0-9]{40}", 3.0),
    pattern("buildkite-token", &["bkua_"], r"\bbkua_[a-z0-9]{40}", 3.0),
    pattern("sonar-token", &["sqa_", "sqp_", "squ_"], r"\bsq[apu]_[a-f0-9]{40}\b", 3.0),
    pattern("infracost-key", &["ico-"], r"\bico-[A-Za-z0-9]{32}\b", 3.5),
    pattern("readme-key", &["rdme_"], r"\brdme_[a-z0-9]{60,}", 3.5),
    // Models
    pattern("anthropic-key", &["sk-ant-"], r"\bsk-ant-[a-z0-9]+-[\w-]{40,}", 3.5),
    pattern("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "T3BlbkFJ"], r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{40,}|[\w-]{16,}T3BlbkFJ[\w-]{16,})", 3.5),
    pattern("openrouter-key", &["sk-or-v1-"], r"\bsk-or-v1-[a-f0-9]{60,}", 3.0),
    pattern("model-key", &["sk-"], r"\bsk-[A-Za-z0-9]{32,}\b", 3.2),
    pattern("elevenlabs-key", &["sk_"], r"\bsk_[a-f0-9]{48}\b", 3.0),
    pattern("huggingface-token", &["hf_", "api_org_"], r"\b(?:hf|api_org)_[A-Za-z0-9]{34}\b", 3.7),
    pattern("groq-key", &["gsk_"], r"\bgsk_[A-Za-z0-9]{48,}", 3.7),
    pattern("xai-key", &["xai-"], r"\bxai-[A-Za-z0-9]{70,}", 3.7),
    pattern("perplexity-key", &["pplx-"], r"\bpplx-[A-Za-z0-9]{40,}", 3.7),
    pattern("replicate-token", &["r8_"], r"\br8_[A-Za-z0-9]{37}\b", 3.7),
    pattern("langsmith-key", &["lsv2_"], r"\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", 3.0),
    pattern("nvidia-key", &["nvapi-"], r"\bnvapi-[\w-]{60,}", 3.7),
    pattern("pinecone-key", &["pcsk_"], r"\bpcsk_\w{50,}", 3.7),
    pattern("tavily-key", &["tvly-"], r"\btvly-[\w-]{28,}", 3.5),
    pattern("sandbox-key", &["e2b_"], r"\be2b_[a-f0-9]{40}\b", 3.0),
    pattern("cursor-key", &["key_"], r"\bkey_[a-f0-9]{64}\b", 3.0),
    pattern("firecrawl-key", &["fc-"], r"\bfc-[a-f0-9]{32}\b", 3.0),
    pattern("jina-key", &["jina_"], r"\bjina_[\w-]{50,}", 3.7),
    // Chat and webhooks
    pattern("slack-token", &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"], r"\bxox[a-eo-s][.-][\w%.-]{16,}", 2.5),
    pattern("slack-app-token", &["xapp-"], r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{20,}", 3.0),
    pattern("slack-webhook", &["hooks.slack.com/"], r"\bhooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{30,})", 3.0),
    pattern("discord-webhook", &["/api/webhooks/"], r"\bdiscord(?:app)?\.com/api/webhooks/([0-9]{15,}/[\w-]{50,})", 3.0),
    pattern("discord-bot-token", &["discord", "bot "], r"\b[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}", 4.0),
    pattern("teams-webhook", &[".webhook.office.com/"], r"\.webhook\.office\.com/(webhookb2/[\w@/-]{60,})", 3.0),
    pattern("zapier-webhook", &["hooks.zapier.com/"], r"\bhooks\.zapier\.com/hooks/catch/([\w/]{10,})", 2.0),
    pattern("telegram-bot-token", &[":AA"], r"\b[0-9]{8,10}:AA[\w-]{33}\b", 3.5),
    pattern("matrix-token", &["syt_"], r"\bsyt_[A-Za-z0-9+/=]+_[A-Za-z]{20}_[A-Za-z0-9]{6}\b", 3.5),
    // Payment and shops
    pattern("stripe-key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], r"\b[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}", 3.0),
    pattern("webhook-secret", &["whsec_"], r"\bwhsec_[A-Za-z0-9+/=]{24,}", 3.5),
    pattern("square-token", &["sq0atp-", "sq0csp-", "EAAA"], r"\b(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{60}\b)", 3.5),
    pattern("facebook-token", &["EAAM", "EAAC", "EAAB"], r"\bEAA[MCB][A-Za-z0-9]{80,}", 3.7),
    pattern("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"], r"\bshp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}", 3.0),
    pattern("braintree-token", &["access_token$"], r"\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}", 3.0),
    pattern("plaid-token", &["access-sandbox-", "access-development-", "access-production-"], r"\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}", 3.0),
    pattern("flutterwave-key", &["FLWSECK"], r"\bFLWSECK(?:_TEST)?-[a-z0-9]{12,}(?:-X)?", 3.0),
    pattern("easypost-key", &["EZAK", "EZTK"], r"\bEZ[AT]K[A-Za-z0-9]{54}\b", 3.7),
    pattern("shippo-token", &["shippo_"], r"\bshippo_(?:live|test)_[a-f0-9]{40}", 3.0),
    pattern("duffel-token", &["duffel_"], r"\bduffel_(?:test|live)_[\w=-]{43}", 3.5),
    // Mail and telephone
    pattern("sendgrid-key", &["SG."], r"\bSG\.[\w-]{16,32}\.[\w-]{16,}", 3.7),
    pattern("mailgun-key", &["key-", "pubkey-"], r"\bkey-[a-f0-9]{32}\b", 3.0),
    pattern("mailchimp-key", &["-us"], r"\b[a-f0-9]{32}-us[0-9]{1,2}\b", 3.0),
    pattern("twilio-key", &["sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske", "skf"], r"\bSK[a-f0-9]{32}\b", 3.0),
    pattern("brevo-key", &["xkeysib-", "xsmtpsib-"], r"\bx(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}", 3.0),
    pattern("resend-key", &["re_"], r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b", 3.7),
    // Watching
    pattern("sentry-token", &["sntrys_", "sntryu_"], r"\bsntry[su]_[\w+/=-]{50,}", 3.5),
    pattern("newrelic-key", &["NRAK-", "NRII-", "NRAL"], r"\b(?:NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|[a-f0-9]{36}NRAL)\b", 3.0),
    pattern("grafana-token", &["glsa_", "glc_", "eyJrIjoi"], r"\b(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,3}|eyJrIjoi[A-Za-z0-9]{60,}={0,3})", 3.5),
    pattern("dynatrace-token", &["dt0c01.", "dt0s01."], r"\bdt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{64}", 3.5),
    pattern("honeycomb-key", &["hcaik_", "hcalk_", "hcbik_", "hcxik_"], r"\bhc[abx][il]k_[a-z0-9]{58}", 3.5),
    pattern("launchdarkly-key", &["sdk-", "api-", "mob-"], r"\b(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", 3.0),
    pattern("posthog-key", &["phx_"], r"\bphx_[A-Za-z0-9]{40,}", 3.7),
    pattern("axiom-token", &["xaat-", "xapt-"], r"\bxa[ap]t-[0-9a-f]{8}-[0-9a-f-]{27}", 3.0),
    // Work
    pattern("linear-key", &["lin_api_", "lin_oauth_"], r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}", 3.5),
    pattern("notion-token", &["secret_", "ntn_"], r"\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})\b", 3.7),
    pattern("airtable-token", &["pat"], r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b", 3.0),
    pattern("figma-token", &["figd_", "figu_", "figo_"], r"\bfig[duo]_[\w-]{36,}", 3.5),
    pattern("dropbox-token", &["sl."], r"\bsl\.[\w-]{120,}", 3.7),
    pattern("contentful-token", &["CFPAT-"], r"\bCFPAT-[\w-]{43}", 3.7),
    pattern("typeform-token", &["tfp_"], r"\btfp_[\w.=-]{59}", 3.7),
    pattern("hubspot-token", &["pat-na", "pat-eu", "pat-ap"], r"\bpat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}-[0-9a-f-]{27}", 3.0),
    pattern("onepassword-token", &["ops_eyJ"], r"\bops_eyJ[A-Za-z0-9+/]{100,}={0,3}", 3.7),
    pattern("onepassword-key", &["A3-"], r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b", 3.5),
    pattern("clickup-token", &["pk_"], r"\bpk_[0-9]+_[A-Z0-9]{32}\b", 3.5),
    pattern("mapbox-token", &["sk.eyJ"], r"\bsk\.eyJ[\w-]{50,}\.[\w-]{20,}", 3.7),
    pattern("adobe-secret", &["p8e-"], r"\bp8e-[A-Za-z0-9_-]{32}\b", 3.5),
    pattern("frameio-token", &["fio-u-"], r"\bfio-u-[\w=-]{64}", 3.7),
    pattern("prefect-token", &["pnu_", "pnb_"], r"\bpn[ub]_[A-Za-z0-9]{36}\b", 3.7),
    // Keys and what carries them
    pattern("age-key", &["AGE-SECRET-KEY-1"], r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}", 3.5),
    pattern("openssh-key", &["b3BlbnNzaC1rZXktdjE"], r"\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/=]{20,})*", 3.0),
    pattern("private-key-base64", &["LS0tLS1CRUdJTiB"], r"\bLS0tLS1CRUdJTiB(?:SU0Eg|QUklW|FQyBQ|PUEVO|FTkNS|EU0Eg|QR1Ag)[A-Za-z0-9+/=]{40,}", 3.0),
    pattern("putty-key", &["Private-Lines:"], r"\bPrivate-Lines: [0-9]+((?:\r?\n[A-Za-z0-9+/=]{16,})+)", 3.0),
    pattern("bitcoin-key", &["xprv"], r"\bxprv[A-Za-z0-9]{100,}", 4.0),
    pattern("jwt", &["eyJ"], r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*){0,3}", 3.5),
    pattern("authorization", &["authorization"], r#"(?i)\bauthorization\\?["'\]]{0,2}\s*[:=,]\s*\\?["'`]?(?:bearer|basic|token|apikey|ssws|bot)\s+([\w+/=.~:-]{8,})"#, 2.9),
    pattern("bearer-token", &["bearer "], r"(?i)\bbearer\s+([\w+/=.~-]{20,})", 3.5),
    pattern("basic-credentials", &["basic "], r"\b[Bb]asic\s+([A-Za-z0-9+/]{20,}={1,2})", 3.5),
    pattern("command-password", &["curl", "sshpass", "pass:", "login "], r#"(?:\bcurl\b[ -~]{0,300}?\s(?:-u|--user)[ =]["']?[\w.@+-]+:|\bsshpass\s+-p\s*["']?|\s-pass(?:in|out)?\s+["']?pass:|\blogin\s+[!-~]+\s+password\s+)([!#-&(-~]{4,})"#, 1.5),
    pattern("session-cookie", &["cookie:"], r"(?i)\bcookie:[ -~]{0,200}?\b[\w.-]*(?:sess|sid|auth|token)[\w.-]*=([\w%+/.~=-]{20,})", 3.5),
];

/// Returns the expression of a rule, compiled when first asked for: a short-lived process pays for what it meets.
pub(super) fn expression(rule: usize) -> &'static Regex {
    static COMPILED: LazyLock<Vec<OnceLock<Regex>>> =
        LazyLock::new(|| PATTERNS.iter().map(|_| OnceLock::new()).collect());
    COMPILED[rule].get_or_init(|| {
        RegexBuilder::new(PATTERNS[rule].expression)
            // Secrets are ASCII: small classes compile many times faster.
            .unicode(false)
            .build()
            .expect("a test compiles every expression of the table")
    })
}
