/**
 * Rules by their pattern, for formats that the table of formats cannot hold: kind, keywords, pattern, options. `<<url>>` is a run of the set
 * `url` of any length, `<<wrapped>>` further lines of base64; what follows such a run must match too. Keywords are written as in JSON, and
 * `[ab]` in one stands for each of its letters. The options are those of `patterns.ts`. `#` begins a comment.
 */
export const patternTable = String.raw`
  # No single vendor: tokens, headers, addresses
  # RFC 7519: header, claims and signature in base64url. 'eyJ' is the '{"' of the header.
  jwt  eyj|eyb|eyjhbgcioi|eyj0exaioi  ey[A-Za-z0-9][\w-]{8}<<url>>={0,2}\.ey[\w/+-]{8}<<bases>>={0,2}\.<<bases>>={0,2}  anywhere entropy=3
  # A token in base64 once more, as in Kubernetes Secrets: 'ZXlK' is 'eyJ'.
  jwt  zxlk|zxlb  ZXlK[\w+/-]{60}<<bases>>={0,2}  word entropy=3.5
  # RFC 7516: an encrypted token has five parts. The second is empty with a direct key.
  jwe  eyj  eyJ[\w-]{10}<<url>>\.<<url>>\.[\w-]{10}<<url>>\.[\w-]{10}<<url>>\.[\w-]{16}<<url>>  anywhere entropy=3
  # RFC 3986, 3.2.1: user and password before the host.
  url-credentials  ://  :\/\/[^\s:@/'"\x60<>?#\\]{0,256}:([^\s'"\x60<>/\\]{1,1024})@(?=[\w.[%$\{<"'\x60-]|\/[\w?])  address
  url-credentials  ://  :\/\/([A-Za-z0-9_.~%-]{20,256})(?::(?:x-oauth-basic)?)?@(?=[\w.[-])  random
  # A password of a database may hold a slash that nobody has escaped.
  url-credentials  mysql://|mariadb://|postgres://|postgresql://|redis://|rediss://|amqp://|amqps://|mongodb://|mongodb+srv://  [a-z+]{5,11}:\/\/[^\s:@/'"\x60<>?#\\]{0,256}:([^\s'"\x60<>@\\]{1,256})@(?=[\w.-]{1,200}[:/])  address
  # A go-sql-driver address has no scheme: user:password@tcp(host).
  url-credentials  @tcp(|@unix(  (?<![^\s"'\x60=])[\w.-]{1,64}:([^\s"'\x60@/]{1,128})@(?:tcp|unix)\(  before=196 filled
  # RFC 6750 and RFC 7617. After the header name any value counts, elsewhere only a random one.
  authorization  authorization  authorization\\{0,6}["'\x60]?\]?[ \t]{0,40}(?::=|=>|:|=|,|(?=["'][^"'\s]{10}))[ \t]{0,40}(?:[bfr]?\\{0,6}["'\x60])?(?:[A-Za-z][\w-]{1,24}[ \t]{1,40}(?:token=)?)?\\{0,2}["']?([^\s"'\x60<>,;\\()]{6})<<value>>  i credential
  authorization  bearer\u0020  Bearer[ \t]{1,40}([A-Za-z0-9._~+/-]{12})<<token68>>={0,2}  i word random filled
  authorization  basic\u0020  Basic[ \t]{1,40}([A-Za-z0-9+/]{8})<<base64>>={0,2}  i word userAndPassword
  # Voyage AI. Slugs begin with such a prefix, too.
  voyage-key  pa-|al-  (?<![A-Za-z0-9])(?:pa|al)-([\w-]{40})<<url>>  before=1 random entropy=3
  # A secp256k1 key in hexadecimal after 0x, as wallets print it.
  wallet-key  private key|private_key|privatekey  [^\n]{0,80}?(?<![\w])0x([0-9a-fA-F]{64})(?!\w)  entropy=3
  # Unknown vendors with the usual form: word, kind, random characters.
  prefixed-token  _live_|_test_|_prod_|_pat_|_sk_|-sk-|_api_|_key_|_secret_|_token_|_sandbox_|_access_|_refresh_|_auth_|_admin_|_service_|_oauth_|_user_|_bot_|_dev_|_stg_|-live-|-test-|-prod-|-secret-|-token-|-access-|-admin-|-api-|-pat-|-key-  (?<![\w/.-])[a-z][a-z0-9]{1,11}(?:_|-)(?:live|test|prod|pat|sk|api|key|secret|token|sandbox|access|refresh|auth|admin|service|oauth|user|bot|dev|stg)[_-](?:[a-z0-9]{2,8}[_-])?([A-Za-z0-9]{20,200})(?![\w./-])  before=12 entropy=3.3 random
  # A recorded session cookie: a name and a value.
  cookie  session|sid|sessid  (?:session(?:[_-]?id)?|sess(?:ion)?id|sid)\\{0,3}["'](?<=["'][\w.-]{2,60}\\{0,3}["'])\s{0,4},\s{0,40}\\{0,3}["']value\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([^\s"'\\]{10,1024})  i random
  # Codes that replace a second factor or unlock a disk, one or a list of them.
  recovery-code  backup code|recovery code|backup key|recovery key|scratch code|emergency code|activation code|license key|licence key|product key|serial key|bitlocker  (?:(?:backup|recovery|scratch|emergency|activation) (?:code|key)s?|(?:licen[cs]e|product|serial) keys?|bitlocker)[^\n]{0,80}?[\n\t "'\x60(:=]((?<![\w-])(?=[a-z-]{0,40}\d)[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,7}(?![\w-])(?:[\s,;]{1,4}(?<![\w-])(?=[a-z-]{0,40}\d)[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,7}(?![\w-])){0,15})  i filled
  # User and password as the arguments of a client.
  password  basicauth(|basic_auth(|networkcredential(|passwordcredentials(|username_pw_set(|auth=(|auth = (|auth: [  [a-z_]{0,32}(?:auth|credentials?|pw_set)(?: ?[=:] ?)?[([]["'][^"'\n]{1,64}["'], ?["']([^"'\n\s]{4,128})["']  i before=32 filled
  password  mysqli_connect(|mysql_connect(|new mysqli(|new pdo(|.getconnection(  (?:mysqli?_connect|new (?:mysqli|PDO)|\.getConnection)\(\s{0,24}(?:["'][^"'\n]{1,200}["']|[$\w.]{1,40}),\s{0,24}["'][^"'\n]{1,64}["'],\s{0,24}["']([^"'\n\s]{4,128})["']  i filled
  # An answer to a question of an assistant.
  password  ?\"=|?\\\"=  (?:(?:what(?: is|.?s)|enter|give|paste|provide|t(?:ell|ype))\b[^"\n?]{0,60}(?:secret|token|api.?key|credential)|passphrase|passw(?!\w{0,4}s\b|\w{0,4} (?:hash|polic|reset|length|field|manag|stor)))[^"\n]{0,80}\?\\{0,7}"=\\{0,7}"([^\s"\\]{4,256})\\{0,7}"  i before=160 digit filled
  # Transact-SQL; a header of Rust's hyper.
  password  password = n'|password=n'  password ?= ?N'([^'\n]{4,128})'  i filled
  api-key  from_static(  (?:key|token|secret)\\?", ?[\w:]{0,24}from_static\(\\?"([^"\\\s]{8,512})\\?"  i before=64 filled
  password  sqlplus\u0020|oracle:thin:|oracle:oci:  (?:sqlplus(?: -\w{1,3}){0,3} |oracle:(?:thin|oci):)[\w.$]{1,40}\/([^\s@/"'\x60]{4,64})@  i filled
  password  assword  assword[^\n\\]{0,12}(?:\s|\\["nrt]|[{}"]){0,16}(?:exp_)?send(?: --)? \\?"([^"\\\s$]{4,64})\\{1,2}r  filled
  # A known user and a password with both cases and a digit.
  password  admin:|root:|administrator:|postgres:  (?<![\w/.@:-])(?:admin|root|administrator|postgres):((?=\S{0,40}\d)(?=\S{0,40}[a-z])(?=\S{0,40}[A-Z])[^\s"'\x60,;:/()<>\\]{8,64}?)(?=[.!?]?(?:[\s"'\x60,;)\\]|$))  filled
  api-key  ?key=|&key=  [?&]key=([A-Za-z0-9_-]{16})<<url>>  i random=0 digit entropy=3
  # A cookie jar in Netscape format: seven columns, the value in the last.
  cookie  \ttrue\t|\tfalse\t|\\ttrue\\t|\\tfalse\\t  (?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\/[^\t\n\\]{0,200}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,20}(?:\t|\\t)[^\t\n\\]{1,256}(?:\t|\\t)([^\s"\\]{6})<<cell>>  filled
  # Private keys without armour, and password hashes
  # A PEM file in base64, as in 'client-key-data' of a kubeconfig: '-----BEGIN' becomes this.
  private-key  ls0tls1crudjti  LS0tLS1CRUdJTi[A-Za-z0-9+/]{50}<<base64>>={0,2}<<wrapped>>  pem
  # The first bytes of a DER private key in base64 (RFC 8017, 5958, 5915, 8410).
  private-key  ibaakc|ibadanbgkqhkig9w0baqefaasc  (?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{1,5}IB(?:AAKC|ADANBgkqhkiG9w0BAQEFAASC)[A-Za-z0-9+/]{24}<<base64>>={0,2}<<wrapped>>  before=8 entropy=3
  private-key  ageambmgbyqgsm49ageg|ageameaegbyqgsm49|mhccaqeei|mc4caqawbqydk2vwbcie|migkageb  (?<![A-Za-z0-9+/])(?:MI[A-Za-z0-9]{1,4}AgEAM[A-Za-z0-9]{2,4}ByqGSM49|MHcCAQEEI|MC4CAQAwBQYDK2VwBCIE|MIGkAgEB)[A-Za-z0-9+/]{40}<<base64>>={0,2}<<wrapped>>  before=8 entropy=3
  # openssh-key-v1: the body of an OpenSSH key.
  private-key  b3blbnnzac1rzxktdjeaaaaa  b3BlbnNzaC1rZXktdjEAAAAA[A-Za-z0-9+/]{20}<<base64>>={0,2}<<wrapped>>  entropy=2
  # crypt(3) and similar: such a hash can be cracked offline.
  password-hash  $1$|$2a$|$2b$|$2x$|$2y$|$5$|$6$|$7$|$8$|$9$|$y$|$gy$|$apr1$|$md5|$sha1$  \$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[1567]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{4,40}\$[./A-Za-z0-9]{22,86}|[89]\$[./A-Za-z0-9]{14}\$[./A-Za-z0-9]{43}|g?y\$[./A-Za-z0-9]{1,40}\$[./A-Za-z0-9]{1,90}\$[./A-Za-z0-9]{43}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|(?:md5|sha1)[,$][^\s"'$]{1,40}\${1,2}[^\s"'$]{1,40}\$?[./A-Za-z0-9]{22,40})
  password-hash  argon2|scrypt|pbkdf2|bcrypt  (?:\$?argon2(?:id|i|d)?\$(?:argon2(?:id|i|d)\$)?v=\d{1,4}\$[\w=,]{1,90}\$[A-Za-z0-9+/]{4,200}\$[A-Za-z0-9+/]{8,200}|\$?(?:django_)?(?:scrypt|pbkdf2|bcrypt)[\w:.-]{0,40}(?:\$[\w=,./+-]{1,90}){1,5}={0,2}|grub\.pbkdf2\.sha512\.\d{1,9}\.[0-9A-F]{16,200}\.[0-9A-F]{128})  before=8 hashed
  # RFC 2307 and similar, as in a directory.
  password-hash  {ssha|{sha|{smd5}|{md5}|{crypt}|{pbkdf2|{argon2}|{pkcs5s2}|{bcrypt}  \{(?:S?SHA(?:-?\d{3})?(?:\.HEX)?|S?MD5|CRYPT|PBKDF2[\w-]{0,20}|ARGON2|PKCS5S2|BCRYPT)\}([A-Za-z0-9+/=$.,_-]{20})<<hash>>  i
  password-hash  scram-sha-|$p$|$h$|$a$00  (?:SCRAM-SHA-(?:1|256|512)\$\d{1,9}:[A-Za-z0-9+/=]{8,90}\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}|\$[PH]\$[./A-Za-z0-9]{31}(?![./A-Za-z0-9])|\$A\$00\d\$[^\s"']{40,100})
  # An NTLM hash after the LM hash of an empty password.
  password-hash  aad3b435b51404eeaad3b435b51404ee:  aad3b435b51404eeaad3b435b51404ee:([0-9a-f]{32})(?!\w)  i
  # An access key and its secret in one row of a table.
  aws-secret-key  akia|asia  (?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)[^\n]{0,80}?(?<![\w/+=-])([A-Za-z0-9/+]{40})(?![\w/+=-])  entropy=4.1 random
  # Clouds, hosts and infrastructure
  # docs.aws.amazon.com/IAM, unique identifiers.
  aws-access-key  akia|asia|abia|acca|a3t  (?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9+])  anywhere
  # A secret access key has no prefix: 40 characters of base64 after its name.
  aws-secret-key  aws_secret|secret_access_key|secretaccesskey|secret access key|aws secret  [\w .-]{0,40}\\{0,6}["']?[ \t]{0,20}(?::|=>|=|,|is)?[ \t]{0,20}\\{0,6}["']?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])  entropy=3
  aws-bedrock-key  bedrock-api-key-  bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t<<bases>>={0,2}
  aws-signature  x-amz-signature=|x-amz-security-token=|signature=  (?:X-Amz-Signature|X-Amz-Security-Token|Signature)=([A-Za-z0-9%+/=_~.-]{40})<<token>>  i entropy=3
  gcp-refresh-token  1//0  (?<![A-Za-z0-9/.])1\/\/0[\w-]{30}<<url>>  entropy=3.2
  # learn.microsoft.com/entra: three characters, a digit, Q~ and 31 to 34 more.
  azure-client-secret  q~  (?<![A-Za-z0-9~])[\w~.-]{3}\dQ~(?:[\w~.-]{34}(?![A-Za-z0-9~])|[\w~.-]{31,33}(?![\w~-]))  before=4 entropy=3
  azure-storage-key  accountkey=|sharedaccesskey=  (?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40})<<base64>>={0,2}  i entropy=3
  # learn.microsoft.com/azure/storage: the 'sig' of a shared access signature.
  azure-sas  sig=  (?<=[?&;])sig=([A-Za-z0-9%+/=_-]{30})<<token>>  i entropy=3.2
  azure-key  azfu|azsea|azcr|+acr|+amc|+ast|+aba|+asb|+aeh|+arm|acdb|aiot|jqqj99|azcontainer  (?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{30,80}(?:AzFu|AzSe[ABC]|\+ACR|\+AMC|\+ASt|\+ABa|\+ASb|\+AEh|\+ARm|ACDb|AIoT|JQQJ99|AzCr)[A-Za-z0-9+/_-]{4,40}={0,2}(?![A-Za-z0-9+/])  before=80 entropy=3.6
  # learn.microsoft.com/azure/devops: 84 characters, the signature before the last four.
  azure-devops-token  azdo  (?<![A-Za-z0-9])[A-Za-z0-9]{74,78}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])  before=78 entropy=3.6
  yandex-token  t1.  (?<![A-Za-z0-9.])t1\.[\w-]<<url>>={0,2}\.[\w-]{80}<<url>>={0,2}  entropy=3
  terraform-token  .atlasv1.  [A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,90}  before=14 entropy=3.3
  vault-token  s.  (?<![\w.-])s\.[A-Za-z0-9]{24}(?![\w.-])  entropy=3.5 random=2 digit
  # Code hosting, continuous integration, package registries
  github-token  ghs_  ghs_\d{1,12}_eyJ[\w-]{10}<<url>>\.[\w-]{10}<<url>>(?:\.[\w-]{10})?<<url>>  anywhere
  gitlab-token  glpat-|glrt-|gldt-  gl(?:pa|r|d)t-[\w-]{20}<<url>>\.[\w.]{7,40}  anywhere
  gitlab-token  glcbt-  glcbt-(?:[0-9a-zA-Z]{1,5}_)?[\w-]{16}<<url>>  anywhere
  sourcegraph-token  sgp_|slk_  (?:sgp_(?:local_|[0-9a-fA-F]{16}_)?[0-9a-fA-F]{40}|slk_[0-9a-f]{64})(?![A-Za-z0-9])  anywhere entropy=2.5
  sidekiq-credentials  gems.contribsys.com|enterprise.contribsys.com  https?:\/\/([0-9a-f]{8}:[0-9a-f]{8})@(?:gems|enterprise)\.contribsys\.com  i before=30
  sidekiq-credentials  contribsys__com  CONTRIBSYS__COM["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([0-9a-f]{8}:[0-9a-f]{8})  i
  infracost-key  ico-  (?<![\w.-])ico-[A-Za-z0-9]{32}(?!\w)  entropy=3
  # Chat, mail and telephony
  # api.slack.com/authentication/token-types
  slack-token  xoxb-|xoxp-|xoxa-|xoxo-|xoxs-|xoxr-|xoxe-|xoxc-|xoxd-|xoxe.xox|xoxa-2  (?:xox(?:[abpr]|e(?:\.xox[bp])?)-(?=[A-Za-z-]{0,60}\d)[\w-]{10,400}|xox[cos]-\d[\w-]{8,400}|xoxd-[\w%/+-]{40,400})  anywhere entropy=2.2
  slack-token  xapp-  xapp-\d-[A-Za-z0-9]{1,40}-\d{1,20}-[A-Za-z0-9]{4,200}|xapp-\d-[A-Za-z0-9]{1,40}-\d{8,20}  i anywhere
  slack-webhook  hooks.slack.com/|hooks.slack-gov.com/  hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{20,120})  entropy=2.5
  discord-webhook  /api/webhooks/  \/api\/webhooks\/\d{15,22}\/([\w-]{40,120})
  # discord.com/developers: the user id in base64, a timestamp, an HMAC. Two digits in base64 begin with these three letters; ids since 2022 begin with a 1, and so with 'MT'.
  discord-token  m[djz][aeimquycgk]|mt[abcdefghijklmnopqrstuvwxyz0123456789]|n[dtjz][aeimquycgk]|o[dt][aeimquycgk]  [MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-]|\.\w)  anywhere entropy=4
  # core.telegram.org/bots: the bot id, a colon, 35 characters from AA on.
  telegram-token  :a  (?<!\d)(\d{8,10}:AA[\w-]{33}|(?<![\w-])\d{5,16}:A[\w-]{33,35}(?![\w-]))  before=16 entropy=3
  teams-webhook  webhook.office.com/  webhook\.office\.com\/webhookb2\/([\w@-]{36,80}\/IncomingWebhook\/[a-z0-9]{32}\/[\w-]{36,60}(?:\/[\w-]{1,80})?)  i
  google-chat-webhook  chat.googleapis.com/  chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,80}\/messages\?(key=[\w-]{1,80}&token=[\w%-]{1,200})
  zapier-webhook  hooks.zapier.com/  hooks\.zapier\.com\/hooks\/catch\/(\d{4,12}\/[a-z0-9]{5,12})
  webhook  maker.ifttt.com/  maker\.ifttt\.com\/trigger\/[\w-]{1,80}\/with\/key\/([\w-]{20,50})
  sendgrid-key  sg.  SG\.(?![\w=-]{0,40}\.\.)(?:[\w-]{16,32}\.[\w-]{16}|[\w=.-]{66})<<url>>  anywhere entropy=3
  mailchimp-key  -us  (?<![0-9a-fA-F])[0-9a-f]{32}-us\d{1,2}(?!\w)  before=32 entropy=2.8
  # firebase.google.com: the server key of Cloud Messaging.
  firebase-key  :apa91b  (?<![\w-])[A-Za-z0-9_-]{8,24}:APA91b[\w-]{60}<<url>>  before=24 entropy=3
  # Monitoring, identity, media, models, payments and others
  newrelic-key  nral  (?<![\w])(?:eu01xx|gov01xx)?[0-9a-f]{30,40}(?:FFFF)?NRAL(?![\w])  before=46
  sentry-token  sntrys_  sntrys_eyJ[A-Za-z0-9+/]{20}<<base64>>={0,2}_[A-Za-z0-9+/]{43}(?![A-Za-z0-9+])  anywhere
  grafana-token  glc_  glc_[A-Za-z0-9+/]{32}<<base64>>={0,3}  anywhere
  onepassword-key  a3-  A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])  anywhere
  okta-token  okta|ssws\u0020  (?:okta[\w .-]{0,20}["']?\s{0,20}[:=]{1,3}\s{0,20}["']?|SSWS )(00[\w-]{40})(?![\w-])  i
  authress-key  .acc  (?<![\w.-])(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}  i before=50
  # age-encryption.org.
  age-key  age-secret-key-|age-plugin-  AGE-(?:SECRET-KEY-(?:[A-Z]{1,12}-)?1|PLUGIN-[A-Z0-9-]{1,40}-1)[A-Z0-9]{20}<<alnum>>  i anywhere
  salesforce-token  00d  (?<![\w-])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}
  mapbox-token  pk.|sk.|tk.  (?<![A-Za-z0-9])(?:(?:sk|tk|pk)\.eyJ[\w-]{40,200}\.[\w-]{20,30}|pk\.[a-z0-9]{60}\.[a-z0-9]{22})(?![\w-])  i
  facebook-token  facebook|access_token|fb_  [^\n]{0,40}?(?<!\w)(\d{15,16}(?:\||%7C)[\w-]{27,40})(?![\w-])  entropy=3
  twitter-bearer  aaaaaaaaaaaaaaaaaaaa  (?<![A-Za-z0-9%])A{20,24}[A-Za-z0-9%]{70,120}(?![A-Za-z0-9%])  entropy=3
  maxmind-key  _mmk  (?<!\w)[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)  before=36
  private-address  private-  (?<=[/?&=])private-([0-9a-f]{32})(?!\w)  entropy=2.5
  # The old form holds "OpenAI" in base64 in its middle.
  openai-key  t3blbkfj  (?<![\w-])sk-[\w-]{16,100}T3BlbkFJ[\w-]{16,100}  before=104
  huggingface-token  hf_  hf_[A-Za-z0-9]{34,40}(?![A-Za-z0-9])  anywhere random=3
  # ai.google.dev/gemini-api/docs/api-key: keys that are bound to an account, since 2026.
  gemini-key  aq.  AQ\.[\w-]{40}<<url>>  anywhere entropy=3 random=3 digit
  # docs.adyen.com: base64, a sum, and signs.
  adyen-key  aqe  AQE[A-Za-z0-9+/]{80}<<base64>>(?:-[A-Za-z0-9+/]{40,46}=?-[^\s"'\x60]{8,24})?  word
  # stytch.com/docs.
  stytch-secret  secret-live-|secret-test-  secret-(?:live|test)-[\w-]{34}<<url>>  anywhere random=12
  braintree-token  access_token$  access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}
  messagebird-key  live_|test_  (?:live|test)_[A-Za-z0-9]{25}(?!\w)  word random=5 digit
`;
