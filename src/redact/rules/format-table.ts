/**
 * Formats of a prefix and a body: kind, prefixes, body, place. `hex{8}` is 8 characters of the set `hex`, `{8,12}` 8 to
 * 12, `{8,}` 8 or more; other characters are literal. A prefix counts anywhere; with the place `part` only where a part of a name
 * begins (`key-fc-...`), since words may end in it; with `word` only where a word begins, since it may lead to a hash. `#` begins a comment.
 */
export const formatTable = `
  # Models
  anthropic-key             sk-ant-  url{24,}
  openai-key                sk-proj-|sk-svcacct-|sk-admin-|sk-None-  url{32,}
  openai-key                sess-  url{32,}  word
  sk-key                    sk-  alnum{32,}
  openrouter-key            sk-or-v1-|sk-or-  hex{32,}
  huggingface-token         hf_oauth_|hf_jwt_  url{30,}
  huggingface-token         api_org_  letter{34}
  groq-key                  gsk_  alnum{40,}
  perplexity-key            pplx-  alnum{40,}
  replicate-token           r8_  alnum{30,}
  xai-key                   xai-  alnum{60,}
  fireworks-key             fw_  alnum{22,}  part
  together-key              tgp_v1_  url{30,}
  cerebras-key              csk-  lower{40,}
  nvidia-key                nvapi-  url{40,}
  langsmith-key             lsv2_pt_|lsv2_sk_  word{32,}
  langsmith-key             ls__  word{32,}  part
  langfuse-key              sk-lf-|pk-lf-  url{32,}
  pinecone-key              pcsk_  word{40,}
  weights-and-biases-key    wandb_v1_  url{40,}
  elevenlabs-key            sk_  hex{48,}  part
  tavily-key                tvly-  url{24,}
  firecrawl-key             fc-  hex{32}  part
  jina-key                  jina_  url{40,}
  modal-token               ak-|as-|wk-|ws-  alnum{22}  word
  runpod-key                rpa_  upper{40,}
  helicone-key              sk-helicone-|pk-helicone-  url{20,}
  context7-key              ctx7sk-  url{30,}
  cursor-key                key_  hex{64}  word
  e2b-key                   e2b_  hex{40,}
  mem0-key                  m0-  alnum{40,}  part
  browserbase-key           bb_live_|bb_test_  url{20,}
  braintrust-key            bt-st-  alnum{30,}
  anyscale-key              esecret_  alnum{20,}
  friendli-token            flp_  alnum{40,}  part
  cartesia-key              sk_car_  word{16,}
  baseten-key               b10_  url{24,}  part
  arcade-key                arc_proj_  alnum{20,}
  luma-key                  luma-api-  url{24,}
  llamaindex-key            llx-  alnum{40,}
  kaggle-token              KGAT_  alnum{24,}
  mixedbread-key            mxb_  alnum{24,}
  daytona-key               dtn_  hex{60,}
  # Clouds and infrastructure
  gcp-api-key               AIza  url{35}
  heroku-key                HRKU-  url{36,}
  databricks-token          dapi  anyHex{32}-digit{1,2}
  doppler-token             dp.st.  url{2,40}.alnum{40,48}
  aws-bedrock-key           ABSKQmVkcm9ja0FQSUtleS  base64{90,}
  gcp-oauth-token           ya29.  url{20,}
  gcp-oauth-secret          GOCSPX-  url{20,40}
  aws-session-token         FwoGZXIvYXdz|FQoGZXIvYXdz|IQoJb3JpZ2lu  base64{60,}
  dropbox-token             sl.|sl.u.  url{110,}  part
  backblaze-key             K001|K002|K003|K004|K005  base64{27}  part
  digitalocean-token        dop_v1_|doo_v1_|dor_v1_  anyHex{64,}
  digitalocean-key          DO00|DO801  upper{15,16}
  cloudflare-token          cfat_|cfut_|cfk_|cfrt_|cfsk_  alnum{48}
  cloudflare-origin-ca      v1.0-  hex{24}-hex{146,}
  alibaba-access-key        LTAI  alnum{12,24}
  tencent-secret-id         AKID  alnum{32,40}
  yandex-key                AQVN  url{35,38}
  yandex-aws-key            YCAJ|YCN|YCP|YCM|YCO  url{36,40}  part
  yandex-oauth-token        y0_  url{50,}  part
  scaleway-key              SCW  upper{17}  part
  fly-token                 fo1_  url{40,}
  fly-token                 fm1r_|fm2_|fm1a_  base64{60,}
  render-key                rnd_  alnum{24,}  part
  netlify-token             nfp_|nfc_|nfo_|nfu_|nfb_  alnum{36,}
  vercel-token              vcp_|vci_|vca_|vcr_|vck_  alnum{24,}
  vercel-blob-token         vercel_blob_rw_  word{20,}
  supabase-token            sbp_|sb_secret_|sbp_oauth_  url{22,}
  mongodb-secret            mdb_sa_sk_  url{30,}
  neon-key                  napi_  alnum{40,}
  neon-password             npg_  alnum{10,}
  planetscale-token         pscale_tkn_|pscale_pw_|pscale_oauth_|pscale_api_  wide{30,}
  databricks-token          dapi|dose|dkea|dsapi  anyHex{32}
  vault-token               hvs.|hvb.|hvr.  wide{24,}
  pulumi-token              pul-  hex{40}  part
  openshift-token           sha256~  url{43}
  tailscale-key             tskey-  lower{3,12}-alnum{8,24}-alnum{16,}
  tailscale-key             tskey-  alnum{24,}
  doppler-token             dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.|dp.said.  url{40,}
  infisical-token           st.  hex{24}.hex{32}.hex{32}  part
  scalingo-token            tk-us-|tk-  url{48,60}  part
  aiven-token               AVNS_  url{17,40}
  confluent-secret          cflt  base64{60,}
  clickhouse-key            4b1d  alnum{38}  part
  wireguard-defined-key     dnkey-  wide{26}-wide{52,}
  prefect-token             pnu_|pnb_  alnum{36,}
  cockroachdb-key           CCDB1_  alnum{22}_alnum{40}
  harness-token             pat.|sat.  url{22}.alnum{24}.alnum{20,}  part
  astra-token               AstraCS:  alnum{24}:alnum{64,}
  zuplo-key                 zpka_  lower{30,36}_hex{8}
  # Code hosting, builds and registries
  # github.blog 2021-04-05: behind GitHub's new authentication token formats.
  github-token              ghp_|gho_|ghu_|ghs_|ghr_  word{36,}
  github-token              github_pat_  word{36,}
  # docs.gitlab.com/security/tokens: token prefixes.
  gitlab-token              glpat-|gldt-|glrt-|glft-|glsoat-|glffct-|glwt-|glrtr-  url{20,}
  gitlab-token              glptt-  url{40,}
  gitlab-token              glimt-  url{25,}
  gitlab-token              glagent-  url{50,}
  gitlab-token              gloas-  url{64,}
  gitlab-token              GR1348941  url{20,}
  bitbucket-token           ATBB|ATCTT3xFfG|BBDC-  wide{24,}
  circleci-token            CCIPAT_|CCIPRJ_  word{40,}
  buildkite-token           bkua_|bkur_|bktx_|bkaa_|bkar_|bkct_|bkcq_|bkcqt_|bkaj_|bkjat_|bkpt_|bkrt_|bktr_|bkat_|bkpat_|bkps_  url{24,}
  npm-token                 npm_  alnum{36,}
  # pypi.org/help/#apitoken: a macaroon whose first bytes name the host.
  pypi-token                pypi-AgEIcHlwaS5vcmc|pypi-AgENdGVzdC5weXBpLm9yZw  url{50,}
  rubygems-token            rubygems_  hex{48,}
  crates-token              cio  alnum{32}  part
  clojars-token             CLOJARS_  alnum{60,}
  nuget-key                 oy2  lower{43}  part
  docker-token              dckr_pat_|dckr_oat_|dckr_rt_  url{24,}
  artifactory-key           AKCp  alnum{60,}
  artifactory-token         cmVmdGtuO  alnum{50,}
  octopus-key               API-  upper{26}  part
  snyk-token                snyk_uat.|snyk_sat.  lower{8}.url{40,}
  sonar-token               squ_|sqp_|sqa_  alnum{40}
  jenkins-token             11  hex{32}  word
  postman-key               PMAK-  anyHex{24}-anyHex{34,}
  postman-key               PMAT-  upper{26,}
  chromatic-token           chpt_  hex{10,}
  percy-token               web_|auto_|app_|ss_|vmw_  hex{64}  word
  endor-labs-key            endr+  alnum{16,}
  readme-key                rdme_  lower{70,}
  deno-token                ddp_|ddo_|ddw_  alnum{36,40}
  kubeadm-key               K10  hex{64}::word{4,40}:alnum{16,}  part
  dbt-token                 dbtc_|dbtu_  url{30,}
  devcycle-key              dvc_server_  url{24,}
  # Chat, mail and telephony
  discord-token             mfa.  url{80,95}  part
  brevo-key                 xkeysib-|xsmtpsib-  hex{64}-alnum{16,}
  mailgun-key               key-|pubkey-  hex{32}  word
  resend-key                re_  alnum{8,10}_alnum{20,}  part
  mailersend-key            mlsn.  hex{60,}
  twilio-key                SK|AC  anyHex{32}
  plivo-id                  MAM|SAM|MA  upper{17,18}  word
  pushover-key              azGDORePK8gMa  alnum{17,}
  matrix-token              syt_  word{24,}
  twitch-token              oauth:  lower{30}  word
  intercom-token            dG9rO  base64{40,}  part
  ory-token                 ory_pat_|ory_apikey_|ory_wak_|ory_st_  url{24,}
  ory-token                 ory_at_|ory_rt_|ory_ac_  url{43,}.url{40,}
  # Payments and shops
  # docs.stripe.com/keys
  stripe-key                sk_live_|sk_test_|sk_prod_|sk_org_|rk_live_|rk_test_|rk_prod_|pk_live_|pk_test_|ek_live_|ek_test_  word{10,}
  stripe-webhook-secret     whsec_|whsec_test_  base64{20,}
  square-token              sq0atp-|sq0csp-|sq0csb-|sq0asb-|sq0idp-  url{22,64}
  square-token              EAAA  url{22,64}  part
  woocommerce-key           ck_|cs_  hex{40}  part
  shopify-token             shpat_|shpca_|shppa_|shpss_|shpua_|shptka_|shpit_  alnum{32,}
  flutterwave-key           FLWSECK_TEST-|FLWPUBK_TEST-|FLWSECK-|FLWPUBK-  lower{12,32}
  gocardless-token          live_|sandbox_  wide{40,44}  word
  easypost-key              EZAK|EZTK  alnum{54}
  lob-key                   live_pub_|test_pub_|live_|test_  hex{31,35}  word
  shippo-token              shippo_live_|shippo_test_  hex{40,}
  duffel-token              duffel_live_|duffel_test_  wide{40,}
  plaid-token               access-sandbox-|access-development-|access-production-|public-sandbox-|link-sandbox-|link-production-  url{36,}
  razorpay-key              rzp_live_|rzp_test_  alnum{14,}
  paddle-key                pdl_live_apikey_|pdl_sdbx_apikey_|pdl_ntfset_  word{40,}
  polar-token               polar_oat_|polar_pat_|polar_whs_|polar_at_u_  alnum{30,}
  coinbase-key              organizations/  hex{8}-hex{4}-hex{4}-hex{4}-hex{12}/apiKeys/url{36,}  word
  settlemint-token          sm_aat_|sm_sat_|sm_pat_  alnum{16,}
  mollie-key                live_|test_  alnum{30,35}  word
  mercadopago-token         APP_USR-  digit{10,20}-digit{6}-hex{32}
  bitcoin-extended-key      xprv|yprv|zprv|tprv  alnum{100,}
  sumup-key                 sup_sk_|sup_pk_  alnum{24,}
  revenuecat-key            appl_|goog_  letter{28,32}  word
  # Monitoring, identity, work, media and other services
  zoho-token                1000.  hex{32}.hex{32}  part
  newrelic-key              NRAK-|NRJS-|NRII-|NRAA-|NRBR-|NRAL-|NRRA-|NRSP-  url{19,}
  sentry-token              sntrys_|sntryu_  wide{64,}
  grafana-token             glsa_  alnum{32}_anyHex{8}
  grafana-key               eyJrIjoi  base64{40,}  part
  dynatrace-token           dt0c01.|dt0s01.|dt0s02.|dt0s08.|dt0s16.  alnum{8,24}.alnum{64,}
  honeycomb-key             hcaik_|hcaic_|hcalk_|hcxik_|hcxlk_|hcamk_|hcbik_  lower{50,}
  logfire-token             pylf_v1_|pylf_v2_  url{40,}
  segment-token             sgp_  alnum{64}
  posthog-key               phx_|phs_  alnum{40,}
  pagerduty-key             pdus+_|pdeu+_  base64{20,}
  axiom-token               xaat-|xapt-  hex{8}-url{27,}
  checkly-key               cu_  hex{32}  part
  launchdarkly-key          sdk-|mob-|api-  hex{8}-hex{4}-hex{4}-hex{4}-hex{12}  word
  statsig-key               secret-|console-  alnum{40,}  word
  elastic-key               essu_  base64{60,}
  onepassword-token         ops_eyJ  base64{120,}
  authress-key              authress_  lower{5,30}.lower{4,6}.url{10,32}.url{30,}
  authress-key              sc_|ext_|scauth_  lower{5,30}.lower{4,6}.url{10,32}.url{30,}  word
  netbird-token             nbp_  alnum{36,}  part
  dashlane-key              dls_  word{24,}  part
  # RFC 8959: the secret-token scheme.
  secret-token              secret-token:  token{10,}  word
  atlassian-token           ATATT3|ATCTT3|ATSTT3  wide{100,}
  linear-token              lin_api_|lin_oauth_|lin_wh_  alnum{32,}
  notion-token              ntn_  alnum{40,}
  notion-token              secret_  alnum{43}  part
  airtable-token            pat  alnum{14}.hex{64}
  figma-token               figd_|figo_|figdr_|figu_  url{36,}
  asana-token               0/|1/|2/  digit{15,18}/digit{12,18}:hex{32,}  part
  asana-token               1/  digit{15,18}:hex{32,}  part
  clickup-token             pk_  digit{5,10}_upper{32,}  part
  frameio-token             fio-u-  wide{60,}
  trello-token              ATTA  alnum{60,}
  typeform-token            tfp_  wide{44,}
  contentful-token          CFPAT-  url{40,}
  sanity-token              skE|skS  alnum{100,}  part
  hubspot-token             pat-na1-|pat-na2-|pat-na3-|pat-eu1-|pat-ap1-  url{36,}
  close-key                 api_  alnum{20,24}.alnum{20,}  word
  facebook-token            EAAM|EAAC|EAAB|EAAG|EAAI|EAAJ|EAAH|EAAD  alnum{80,}  part
  instagram-token           IGQV|IGQW  alnum{80,}  part
  adobe-secret              p8e-|p8e-e  hex{31,32}  word
  adafruit-key              aio_  alnum{28}  part
  beamer-key                b_  wide{44}  word
  intra42-secret            s-s4t2ud-|s-s4t2af-  hex{64,}
  nytimes-or-apify-key      apify_api_|apify_ep_  alnum{30,}
  convex-key                prod:|dev:|preview:  lower{6,40}|base64{40,}  word
  liveblocks-key            sk_prod_|sk_dev_  url{24,}
  inngest-key               signkey-prod-|signkey-test-|signkey-branch-  hex{32,}
  trigger-key               tr_prod_|tr_dev_|tr_stg_|tr_pat_  alnum{20,}
  unkey-key                 unkey_  word{20,}
  onfido-token              api_live.|api_sandbox.|api_live_us.  url{8,16}.url{20,}
  calcom-key                cal_live_|cal_test_  hex{24,}
  bitwarden-token           0.  hex{8}-hex{4}-hex{4}-hex{4}-hex{12}.alnum{30,}  part
  onesignal-key             os_v2_app_|os_v2_org_  lower{60,}
  courier-key               pk_prod_|dk_prod_  upper{28,}
  pubnub-key                sec-c-  url{36,}
  xata-key                  xau_|xao_  alnum{24,}  part
  fauna-secret              fnAC|fnAD|fnAE|fnAF  url{36}  part
  depot-token               depot_project_|depot_org_|depot_user_  hex{40,}
  gitbook-token             gb_api_  alnum{30,}
  valtown-token             vtwn_  alnum{24,}
  mercury-token             mercury_production_|mercury_sandbox_  word{20,}
  ubidots-key               BBFF-|BBUS-  alnum{30,}
  nightfall-key             NF-  alnum{32,}  word
  duo-key                   DI  upper{18}  word
  carto-or-tinybird-token   p.eyJ  url{40,}.url{20,}  word
`;
