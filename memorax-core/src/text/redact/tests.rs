//! Samples of every rule, and what must stay as it is.
//!
//! Secrets are put together when the tests run, so that no scanner takes this file for a leak: `{A36}` is 36 random
//! letters and digits.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::Redactor;
use super::patterns::{PATTERNS, expression};
use super::redactor::rules;

/// Rule, and a text in which all between `«` and `»` is the secret.
#[rustfmt::skip]
const SAMPLES: &[(&str, &str)] = &[
    ("aws-access-key", "id «AKIA{U16}»,"),
    ("aws-session-token", "«IQoJb3JpZ2lu{B200}»"),
    ("aws-bedrock-key", "«ABSK{B110}=»"),
    ("aws-secret-key", "aws_secret_access_key = «{B40}»"),
    ("aws-session-token", "AWS_SESSION_TOKEN=«{B160}»"),
    ("gcp-api-key", "?key=«AIza{w35}»&x"),
    ("gcp-oauth-secret", "«GOCSPX-{w28}»"),
    ("gcp-access-token", "«ya29.a0{w60}»"),
    ("gcp-refresh-token", "«1//0{w50}»"),
    ("azure-client-secret", "\"«{A3}8Q~{A34}»\""),
    ("azure-account-key", "AccountName=a;AccountKey=«{B86}==»;EndpointSuffix=core"),
    ("azure-sas", "?sv=2022&sig=«{B43}=»"),
    ("azure-devops-token", "«{A76}AZDO{A4}»"),
    ("azure-search-key", "«{A42}AzSeA{A5}»"),
    ("azure-cosmos-key", "«{A76}ACDb{A6}==»"),
    ("digitalocean-token", "«dop_v1_{h64}»"),
    ("alibaba-access-key", "«LTAI{A20}»"),
    ("tencent-secret-id", "«AKID{A32}»"),
    ("cloudflare-origin-key", "«v1.0-{h24}-{h146}»"),
    ("cloudflare-key", "CLOUDFLARE_API_TOKEN=«{w40}»"),
    ("fly-token", "«fo1_{w43}»"),
    ("heroku-key", "«HRKU-{w58}»"),
    ("heroku-key", "HEROKU_API_KEY=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("netlify-token", "«nfp_{A40}»"),
    ("render-key", "«rnd_{A32}»"),
    ("vercel-blob-token", "«vercel_blob_rw_{A40}»"),
    ("supabase-key", "«sbp_{h40}»"),
    ("planetscale-token", "«pscale_pw_{A43}»"),
    ("doppler-token", "«dp.pt.{A43}»"),
    ("terraform-token", "«{A14}.atlasv1.{A67}»"),
    ("pulumi-token", "«pul-{h40}»"),
    ("vault-token", "VAULT «hvs.{w90}»"),
    ("databricks-token", "«dapi{h32}»"),
    ("tailscale-key", "«tskey-auth-{A17}-{A32}»"),
    ("scalingo-token", "«tk-us-{w48}»"),
    ("github-pat", "git clone «ghp_{A36}» now"),
    ("github-fine-grained-pat", "«github_pat_{A22}_{A59}»"),
    ("github-oauth", "«gho_{A36}»"),
    ("github-app-token", "«ghs_{A36}»"),
    ("github-refresh-token", "«ghr_{A76}»"),
    ("gitlab-pat", "«glpat-{w20}»"),
    ("gitlab-deploy-token", "«gldt-{w20}»"),
    ("gitlab-runner-token", "«glrt-{w20}»"),
    ("gitlab-job-token", "«glcbt-64_{w20}»"),
    ("gitlab-trigger-token", "«glptt-{h40}»"),
    ("gitlab-feed-token", "«glft-{w20}»"),
    ("gitlab-mail-token", "«glimt-{w25}»"),
    ("gitlab-agent-token", "«glagent-{w50}»"),
    ("gitlab-oauth-secret", "«gloas-{w64}»"),
    ("gitlab-scim-token", "«glsoat-{w20}»"),
    ("gitlab-flag-token", "«glffct-{w20}»"),
    ("gitlab-session", "_gitlab_session=«{l32}»"),
    ("gitea-token", "GITEA_TOKEN: «{h40}»"),
    ("bitbucket-app-password", "«ATBB{A32}»"),
    ("bitbucket-token", "«ATCTT3{w180}»"),
    ("atlassian-token", "«ATATT3{w180}»"),
    ("sourcegraph-token", "«sgp_{h40}»"),
    ("npm-token", "//registry/:_authToken=«npm_{A36}»"),
    ("pypi-token", "«pypi-AgEIcHlwaS5vcmc{w150}»"),
    ("crates-io-token", "«cio{A32}»"),
    ("rubygems-key", "«rubygems_{h48}»"),
    ("nuget-key", "«oy2{l43}»"),
    ("docker-token", "«dckr_pat_{w27}»"),
    ("clojars-token", "«CLOJARS_{l60}»"),
    ("artifactory-key", "«AKCp{A69}»"),
    ("postman-key", "«PMAK-{h24}-{h34}»"),
    ("circleci-token", "«CCIPAT_{A22}_{h40}»"),
    ("circleci-token", "CIRCLE_TOKEN=«{h40}»"),
    ("buildkite-token", "«bkua_{l40}»"),
    ("sonar-token", "«squ_{h40}»"),
    ("infracost-key", "«ico-{A32}»"),
    ("readme-key", "«rdme_{l70}»"),
    ("anthropic-key", "«sk-ant-api03-{w93}AA»"),
    ("openai-key", "«sk-proj-{w74}T3BlbkFJ{w74}»"),
    ("openai-key", "«sk-{A20}T3BlbkFJ{A20}»"),
    ("openrouter-key", "«sk-or-v1-{h64}»"),
    ("model-key", "DEEPSEEK «sk-{h32}»"),
    ("elevenlabs-key", "«sk_{h48}»"),
    ("huggingface-token", "«hf_{A34}»"),
    ("groq-key", "«gsk_{A52}»"),
    ("xai-key", "«xai-{A80}»"),
    ("perplexity-key", "«pplx-{A48}»"),
    ("replicate-token", "«r8_{A37}»"),
    ("langsmith-key", "«lsv2_pt_{h32}_{h10}»"),
    ("nvidia-key", "«nvapi-{w64}»"),
    ("pinecone-key", "«pcsk_{A60}»"),
    ("pinecone-key", "pinecone_api_key: «{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("tavily-key", "«tvly-dev-{w32}»"),
    ("sandbox-key", "«e2b_{h40}»"),
    ("cursor-key", "«key_{h64}»"),
    ("firecrawl-key", "«fc-{h32}»"),
    ("jina-key", "«jina_{w60}»"),
    ("cohere-key", "COHERE_API_KEY=«{A40}»"),
    ("mistral-key", "MISTRAL_API_KEY=«{A32}»"),
    ("together-key", "TOGETHER_API_KEY=«{h64}»"),
    ("deepgram-key", "DEEPGRAM_API_KEY=«{h40}»"),
    ("assemblyai-key", "ASSEMBLYAI_API_KEY=«{h32}»"),
    ("wandb-key", "WANDB_API_KEY=«{h40}»"),
    ("slack-token", "«xoxb-{D12}-{D13}-{A24}»"),
    ("slack-app-token", "«xapp-1-{X11}-{D13}-{h64}»"),
    ("slack-webhook", "https://hooks.slack.com/services/«T{X10}/B{X10}/{A24}»"),
    ("discord-webhook", "https://discord.com/api/webhooks/«{D18}/{w68}»"),
    ("discord-bot-token", "discord.run('«M{A25}.{w6}.{w38}»')"),
    ("discord-secret", "DISCORD_CLIENT_SECRET=«{w32}»"),
    ("teams-webhook", "https://acme.webhook.office.com/«webhookb2/{h8}-{h4}-{h4}@{h32}/IncomingWebhook/{h32}/{h8}»"),
    ("zapier-webhook", "https://hooks.zapier.com/hooks/catch/«{D7}/{l7}/»"),
    ("telegram-bot-token", "«{D10}:AA{w33}»"),
    ("matrix-token", "«syt_{B12}_{L20}_{A6}»"),
    ("stripe-key", "«sk_live_{A24}»"),
    ("webhook-secret", "«whsec_{B32}»"),
    ("square-token", "«sq0atp-{w22}»"),
    ("facebook-token", "«EAAC{A120}»"),
    ("facebook-secret", "FACEBOOK_APP_SECRET=«{h32}»"),
    ("shopify-token", "«shpat_{h32}»"),
    ("braintree-token", "«access_token$production${l16}${h32}»"),
    ("plaid-token", "«access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("flutterwave-key", "«FLWSECK_TEST-{h32}-X»"),
    ("easypost-key", "«EZAK{A54}»"),
    ("shippo-token", "«shippo_live_{h40}»"),
    ("duffel-token", "«duffel_live_{w43}»"),
    ("sendgrid-key", "«SG.{w22}.{w43}»"),
    ("mailgun-key", "api:«key-{h32}»"),
    ("mailchimp-key", "«{h32}-us12»"),
    ("twilio-key", "«SK{h32}»"),
    ("twilio-token", "TWILIO_AUTH_TOKEN=«{h32}»"),
    ("brevo-key", "«xkeysib-{h64}-{A16}»"),
    ("resend-key", "«re_{A8}_{A24}»"),
    ("postmark-token", "POSTMARK_SERVER_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("sentry-token", "«sntrys_{B120}»"),
    ("datadog-key", "DD_API_KEY=«{h32}»"),
    ("datadog-key", "DD_APP_KEY: «{h40}»"),
    ("newrelic-key", "«NRAK-{X27}»"),
    ("grafana-token", "«glsa_{A32}_{h8}»"),
    ("dynatrace-token", "«dt0c01.{X24}.{X64}»"),
    ("honeycomb-key", "«hcaik_{l58}»"),
    ("launchdarkly-key", "«sdk-{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("posthog-key", "«phx_{A43}»"),
    ("axiom-token", "«xaat-{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("rollbar-token", "ROLLBAR_ACCESS_TOKEN=«{h32}»"),
    ("bugsnag-key", "bugsnag_api_key=«{h32}»"),
    ("pagerduty-key", "PAGERDUTY_TOKEN=«{A20}»"),
    ("linear-key", "«lin_api_{A40}»"),
    ("notion-token", "«ntn_{A46}»"),
    ("airtable-token", "«pat{A14}.{h64}»"),
    ("figma-token", "«figd_{w40}»"),
    ("dropbox-token", "«sl.{w140}»"),
    ("contentful-token", "«CFPAT-{w43}»"),
    ("typeform-token", "«tfp_{w59}»"),
    ("hubspot-token", "«pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("hubspot-key", "HUBSPOT_API_KEY=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("onepassword-token", "«ops_eyJ{B250}»"),
    ("onepassword-key", "«A3-{X6}-{X11}-{X5}-{X5}-{X5}»"),
    ("clickup-token", "«pk_{D8}_{X32}»"),
    ("mapbox-token", "«sk.eyJ{A60}.{A22}»"),
    ("adobe-secret", "«p8e-{l32}»"),
    ("frameio-token", "«fio-u-{w64}»"),
    ("prefect-token", "«pnu_{A36}»"),
    ("algolia-key", "ALGOLIA_ADMIN_KEY=«{h32}»"),
    ("asana-secret", "asana_client_secret=«{h32}»"),
    ("binance-key", "BINANCE_API_KEY=«{A64}»"),
    ("codecov-token", "CODECOV_TOKEN: «{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("consul-token", "CONSUL_HTTP_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("nomad-token", "NOMAD_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("fastly-token", "FASTLY_API_TOKEN=«{w32}»"),
    ("infura-key", "INFURA_API_KEY=«{h32}»"),
    ("jenkins-token", "JENKINS_API_TOKEN=«{h34}»"),
    ("okta-token", "OKTA_API_TOKEN=«{w42}»"),
    ("sendbird-token", "SENDBIRD_API_TOKEN=«{h40}»"),
    ("snyk-token", "SNYK_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»"),
    ("spotify-secret", "spotify_client_secret = \"«{h32}»\""),
    ("trello-key", "TRELLO_API_KEY=«{h32}»"),
    ("zendesk-token", "ZENDESK_API_TOKEN=«{A40}»"),
    ("age-key", "«AGE-SECRET-KEY-1{X58}»"),
    ("openssh-key", "«b3BlbnNzaC1rZXktdjE{B48}\n{B70}\n{B60}»"),
    ("private-key-base64", "client-key-data: «LS0tLS1CRUdJTiBSU0Eg{B300}»"),
    ("putty-key", "Private-Lines: 2«\n{B64}\n{B64}»\nPrivate-MAC"),
    ("bitcoin-key", "«xprv{A107}»"),
    ("jwt", "«eyJ{w30}.eyJ{w60}.{w43}»"),
    ("authorization", "curl -H 'Authorization: Bearer «{A20}»' x"),
    ("authorization", "\"authorization\": \"Basic «{B24}»\""),
    ("bearer-token", "with bearer «{A40}»"),
    ("basic-credentials", "Basic «{B26}==»"),
    ("command-password", "curl -s -u admin:«{A10}» https://host/x"),
    ("command-password", "machine host login me password «{A10}»"),
    ("session-cookie", "Cookie: theme=dark; session_id=«{A32}»; x=1"),
    ("private-key", "«-----BEGIN {RSA }PRIVATE KEY-----\n{B64}\n{B64}\n{B20}\n-----END {RSA }PRIVATE KEY-----»\n"),
    ("private-key", "\"private_key\": \"«-----BEGIN {}PRIVATE KEY-----\\n{B64}\\n{B64}»\", \"a\": 1"),
    ("private-key", "«-----BEGIN {OPENSSH }PRIVATE KEY-----\n{B70}\n{B70}»\n\nand then it was cut"),
    ("private-key", "«-----BEGIN {PGP }PRIVATE KEY BLOCK-----\nVersion: 1\n\n{B64}\n{B64}\n=aB3d\n-----END {PGP }PRIVATE KEY BLOCK-----»"),
    ("url-password", "postgres://app:«{A12}»@db.internal:5432/app?sslmode=require"),
    ("url-password", "redis://:«p#/{A12}»@10.0.0.1:6379"),
    ("url-token", "git clone https://«{A30}»@github.com/acme/app"),
    ("password", "DB_PASSWORD=«tr0ub{A4}»"),
    ("password", "password: '«c0rrect-h0rse»',"),
    ("password", "mysql --password «{A9}» -h db"),
    ("password", "Server=db;User Id=sa;Password=«aB{A8}!»;Encrypt=yes"),
    ("password", "{\\\"password\\\": \\\"«aB{A12}»\\\"}"),
    ("password", "the password is «aB3{A8}»."),
    ("password", "<password>«aB3{A8}»</password>"),
    ("password", "staging: password: «Sommer2024{D2}»!"),
    ("password", "the password for staging is «Herbst{D4}»."),
    ("password", "We changed it: the admin password of the old server: «Winter{D4}»"),
    ("secret", "my API key: «{h32}»"),
    ("secret", "const apiKey: string = \"«{A32}»\";"),
    ("secret", "  client_secret: «{A24}»\n"),
    ("secret", "os.environ[\"SECRET_KEY\"] = '«{h64}»'"),
    ("secret", "getenv(\"API_KEY\", \"«{A32}»\")"),
    ("secret", "- name: API_TOKEN\n  value: «{A32}»\n"),
    ("secret", "X-Api-Key: «{A32}»"),
    ("token", "csrf_token = \"«{A32}»\""),
    ("key", "STRIPE_KEY=«{A32}»"),
];

/// Puts random signs in place of `{A36}`; cuts them short when asked to.
fn filled(template: &str, seed: u64, is_short: bool) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    let mut result = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        result.push_str(before);
        let (what, after) = after.split_once('}').unwrap_or((after, ""));
        let count = what.get(1..).and_then(|count| count.parse::<usize>().ok());
        let alphabet = match (what.chars().next(), count) {
            (Some('A'), Some(_)) => {
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
            }
            (Some('B'), Some(_)) => {
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
            }
            (Some('w'), Some(_)) => {
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
            }
            (Some('L'), Some(_)) => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
            (Some('U'), Some(_)) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            (Some('X'), Some(_)) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            (Some('l'), Some(_)) => "abcdefghijklmnopqrstuvwxyz0123456789",
            (Some('h'), Some(_)) => "0123456789abcdef",
            (Some('D'), Some(_)) => "123456789",
            _ => {
                // `{RSA }` keeps the armour's first line out of this file.
                result.push_str(what);
                rest = after;
                continue;
            }
        };
        let mut count = count.unwrap_or(0);
        if is_short {
            count = (count / 5).min(6);
        }
        for at in 0..count {
            // Letters and digits at both ends; a digit early, as all but a few real ones have.
            let sign = match at {
                1 if alphabet.contains('2') => '7',
                _ => char::from(alphabet.as_bytes()[next(alphabet.len())]),
            };
            result.push(
                if (at == 0 || at + 1 == count) && !sign.is_ascii_alphanumeric() {
                    'a'
                } else {
                    sign
                },
            );
        }
        rest = after;
    }
    result.push_str(rest);
    result
}

#[test]
fn every_rule_finds_its_secret_and_nothing_else() {
    let redactor = Redactor::new([1; 16]);
    let mut failures = Vec::new();
    for (rule, template) in SAMPLES {
        for seed in 1..6 {
            let marked = filled(template, seed, false);
            let (before, rest) = marked.split_once('«').expect("a sample marks its secret");
            let (secret, after) = rest.split_once('»').expect("a sample marks its secret");
            let text = format!("{before}{secret}{after}");
            let redacted = redactor.redact(&text);
            let middle = redacted
                .text
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
                .unwrap_or_default();
            let is_placeholder =
                middle.starts_with(&format!("[secret:{rule}:")) && middle.len() == rule.len() + 14;
            if redacted.hits != [(*rule, 1)] || !is_placeholder {
                failures.push(format!("{text:?} became {:?}", redacted.text));
            }
            if redactor.redact(&redacted.text).text != redacted.text {
                failures.push(format!("{:?} is not left alone", redacted.text));
            }
        }
    }
    assert_eq!(failures, [""; 0]);
}

#[test]
fn every_rule_has_a_sample() {
    let tried: BTreeSet<_> = SAMPLES.iter().map(|(rule, _)| *rule).collect();
    let missing: Vec<_> = rules().filter(|rule| !tried.contains(rule)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn what_only_begins_like_a_secret_stays() {
    let redactor = Redactor::new([1; 16]);
    let mut failures = Vec::new();
    for (rule, template) in SAMPLES {
        let is_pattern = PATTERNS.iter().any(|pattern| pattern.name == *rule);
        let text = filled(template, 1, true).replace(['«', '»'], "");
        if is_pattern
            && redactor
                .redact(&text)
                .hits
                .iter()
                .any(|(hit, _)| hit == rule)
        {
            failures.push(text);
        }
    }
    assert_eq!(failures, [""; 0]);
}

#[test]
fn every_expression_compiles() {
    for (rule, pattern) in PATTERNS.iter().enumerate() {
        assert!(expression(rule).captures_len() <= 2, "{}", pattern.name);
    }
}

#[test]
fn what_is_no_secret_stays() {
    let redactor = Redactor::new([2; 16]);
    let hash = filled("{h40}", 3, false);
    let long_hash = filled("{h64}", 4, false);
    let uuid = filled("{h8}-{h4}-{h4}-{h4}-{h12}", 5, false);
    let integrity = filled("sha512-{B86}==", 6, false);
    for text in [
        format!("commit {hash}\nMerge: {} into {long_hash}", &hash[..7]),
        format!("id = \"{uuid}\", token: {uuid}, key = {uuid}"),
        format!("\"integrity\": \"{integrity}\", \"resolved\": \"https://host/left-pad.tgz#{hash}\""),
        format!("checksum = \"{long_hash}\"\nname = \"secret-service\""),
        format!("cache_key = \"{long_hash}\"; const commitKey = '{hash}'; sha256:{long_hash}"),
        format!("actions/checkout@{hash} # token: ${{{{ secrets.GITHUB_TOKEN }}}}"),
        "password = \"...\"\npassword: string;\ntoken: &str, secret: Option<String>".to_owned(),
        "key = os.environ[\"API_KEY\"]; token = process.env.TOKEN; let secret = config.secret2;".to_owned(),
        "API_KEY=<YOUR_KEY>\nTOKEN=${TOKEN}\nSECRET=$SECRET\nPASSWORD=changeme\nAPI_KEY=your-api-key-here1".to_owned(),
        "let token = next_token2(); self.key = key1; password=password1, token=lexer.token3".to_owned(),
        "if token == TokenKind::Ident2 { keywords.insert(\"async2\") } // the key is hashed twice".to_owned(),
        "fn password(&self) -> &str; passwords: Vec<String>; token_type = \"bearer\"".to_owned(),
        "https://user:password@example.com http://host:8080/a@2 https://a.b/c?key=1 git@github.com:a/b.git".to_owned(),
        "Authorization: Bearer <token>; authorization: Bearer ${TOKEN}; `Authorization: Bearer YOUR_API_TOKEN`".to_owned(),
        "assert!(text.contains(\"-----BEGIN RSA PRIVATE KEY-----\")); -----BEGIN CERTIFICATE-----".to_owned(),
        "primary_key: id2, foreign_key = \"user_id_1\", key: 'ArrowLeft2', publicKey: 'abc123def456'".to_owned(),
        "!function(e,t){var n=e.token||t.key1,r={key:\"a1b2c3\"};return n.secret=r}(window);".to_owned(),
        "The password for the demo is in the vault. The token for a word is one of 4096 numbers. readonly password: Argon2Hasher".to_owned(),
        "The primary key of the table is user_id2, the cache key: user2_session1; the sort key is name2".to_owned(),
        "The secret is to test early. A token is 3 to 4 characters. Password was reset in 2024.".to_owned(),
        "pub const WRONG_PASSWORD: u32 = 2048u32; const KEY_NOT_SIGNING_KEY: i32 = 0x8029041A_u32 as _;".to_owned(),
        "(\"gr_passwd\", \"gr_gid2\", \"pw_passwd\", \"pw_uid\"); keys = _ref3.ownKeys; login token password {token}".to_owned(),
        "arn:aws:secretsmanager:eu-west-1:12:secret:app-7-db-d4e5f6, login me password pass".to_owned(),
        "AKIAIOSFODNN7EXAMPLE and password: \"correct horse\" and sk-loading-spinner-animation-2".to_owned(),
    ] {
        let redacted = redactor.redact(&text);
        assert_eq!((redacted.text.as_ref(), redacted.hits), (text.as_str(), Vec::new()));
    }
}

#[test]
fn the_same_secret_has_one_placeholder_in_one_store() {
    let text = filled("a ghp_{A36} b", 9, false);
    let text = format!("{text} {text}");
    let redacted = Redactor::new([1; 16]).redact(&text).text.into_owned();
    let (first, second) = redacted.split_at(redacted.len() / 2);
    assert_eq!(first, second.trim());
    assert_ne!(redacted, Redactor::new([2; 16]).redact(&text).text);
}

#[test]
fn a_secret_cannot_hide_in_a_placeholder() {
    let secret = filled("{A36}", 9, false);
    for text in [
        format!("[secret:ghp_{secret}:3f9a]"),
        format!("[secret:github-pat:ghp_{secret}]"),
    ] {
        assert!(!Redactor::new([1; 16]).redact(&text).text.contains(&secret));
    }
}

proptest! {
    #[test]
    fn redacting_twice_is_redacting_once(
        texts in proptest::collection::vec((0..SAMPLES.len(), "[ -~é\\n]{0,12}", 0u64..50), 0..6),
        cut in 0usize..400,
    ) {
        let redactor = Redactor::new([3; 16]);
        let mut text: String = texts
            .iter()
            .map(|(sample, between, seed)| filled(SAMPLES[*sample].1, *seed, false).replace(['«', '»'], "") + between)
            .collect();
        if let Some((at, _)) = text.char_indices().nth(cut) {
            text.truncate(at);
        }
        let once = redactor.redact(&text);
        let twice = redactor.redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(twice.hits.is_empty());
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,60}|[-=:\"'\\\\ a-c1@/ékeytoknpaswrd]{0,60}") {
        let redacted = Redactor::new([3; 16]).redact(&text);
        prop_assert_eq!(redacted.hits.is_empty(), redacted.text == text);
    }
}
