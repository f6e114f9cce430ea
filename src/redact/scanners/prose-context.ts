/** What the words around a value say that nobody names. All read lower case. */

/** Logging in, accounts, networks, what a password opens. */
export const isAccess =
  /(?<![\p{L}\d:_/.-])(?:log(?:s|ged|ging)? ?(?:in|on)(?:to)?|logins?|sign(?:s|ed|ing)?[- ]?(?:in|on)(?:to)?|(?:get|gets|getting|let|lets|come|comes) (?:me |us |him |her |you )?(?:in|on|past|into)|a(?:cc?oun|cc)ts?|username|pass(?:w(?:or|ro)?ds?|code|phrase|word\p{L}*)|(?<=\b(?:as|my|your) )pass|pass(?=["'*`]{0,2}(?: ?[:：=/→]| ->| (?:is|was|(?:will|should|must) be)\b| {2}|, ))|pw|credentials?|creds|wi-?fi|wlan|ssid|hotspot|guests?|admin (?:page|panel|account|ui)|unlock\p{L}*|opens? (?:up )?with|keystore|keepass|v(?:pn|nc)|s?ftp|ssh|mailbox|basic auth|security question|anmeld\p{L}*|angemeldet|einlogg\p{L}*|zugang\p{L}*|benutzer\p{L}*|\p{L}*konto|kennwort\p{L}*|connecter|connecte(?:[sz]|-toi)?|identifiants|mot de passe|mdp|compte|acc[èe]s|utilisateur|ouvre|entr[aoe]r?|acced\p{L}*|usuari\p{L}*|cuenta|contrase\p{L}*|acceso|utente|accesso|acess\p{L}*|conta|senha|inlog\p{L}*|wachtwoord\p{L}*|gebruiker\p{L}*|zaloguj|logowani\p{L}*|konto|has[łl]\p{L}*|użytkowni\p{L}*|зайди|войди|логин\p{L}*|парол\p{L}*|уч[её]тк\p{L}*|аккаунт\p{L}*|доступ\p{L}*|giriş\p{L}*|gir|şifre\p{L}*|hesab\p{L}*|kullanıcı\p{L}*|přihl\p{L}*|hesl\p{L}*|účet|koden?|adgangskode\p{L}*|lösenord\p{L}*|inloggning\p{L}*|jelsz\p{L}*|salasana|tunnus|κωδικ\p{L}*|χρήστη\p{L}*|mật khẩu|đăng nhập|tài khoản)(?![\p{L}\d_/-])|登[录陆入]|[账帐][号户]|密码|口令|用户|ログイン|入れ|アカウント|パスワード|ユーザー|로그인|접속|계정|비밀번호|비번|들어가|كلمة (?:ال)?(?:مرور|سر)|حساب|סיסמ/u;

/** What stands directly before a value that is handed over. */
export const handed =
  /(?:(?<![\p{L}\d-])(?:with|is|was|are|['’]s|both|as|and|or|then|typ(?:e|ed|es|ing)|enter(?:ed)?|use[sd]?|using|try|give(?: it)?|wants?|needs?|on|pastes?|set|take|say|be|to|pass|called|via|keypad|combination|now|nyt|nu|agora|ahora|adesso|mit|und|ist|lautet|als|jetzt|dann|ein|avec|et|puis|est|mets|hier|con|y|pon|es|è|é|usa|com|e|met|en|dan|z|i|to|jest|под|и|на|с|это|теперь|там|ile|ve|olarak|är|er|og|och|je|on|είναι|là|bằng|هي|şifre|jelszava)|[.]{2}|[/:：,，、→>(=—–\n-]|[は是为を和])[ "'“„«(*_]*$/u;

/** What opens by a number. */
export const opensByNumber =
  /(?<![\p{L}\d:_/.-])(?:keypad|alarm\p{L}*|allarme|doors?|gate|garage|sim(?: card)?|locker|coffre|tresor|cofre|cassaforte|kluis|sejf|сейф\p{L}*|türcode|digicode|portail|puerta|portão|portone|citofono|deur\p{L}*|bram[aęy]|domofon\p{L}*|домофон\p{L}*|ворот\p{L}*|kapı\p{L}*|second factor|tür)(?![\p{L}\d_/-])|门禁|门锁|ドア|暗証|현관|도어락/u;

/** What makes a long hexadecimal number a key. */
export const namesKey =
  /(?<![\p{L}\d:_/.-])(?:(?:api|sending|access|secret|auth|signing|encryption) (?:keys?|tokens?)|credenc?tials?|credencial|["“]?keys?["”]?|секрет\p{L}*|ключ|clave|clé|schlüssel|chiave|chave|sleutel|klucz)(?![\p{L}\d_/-])|密钥|キー/u;

/** In a folder that a shell enters. */
export const isEntered = /(?:^|[;&|(\n])[ \t]*cd ["']?[^"'\n;&|]*$/;

/** What is named: a branch, folder or file, or the end of a quoted path with spaces. */
export const isNamed =
  /(?<![\p{L}\d_-])(?:branch(?:e|es)?|folders?|director(?:y|ies)|files?|repo(?:sitory)?|worktrees?|ordners?|verzeichnis|datei|dossier|fichier|carpeta|archivo|rama|pasta|arquivo|cartella|папк\p{L}*|файл\p{L}*|ветк\p{L}*)(?: (?:to|named|called))? ["'`“«„]?(?:[A-Z][\w-]* )?$|\bgit (?:checkout|switch|branch|merge|rebase|push|pull|fetch|log|diff|tag)(?: (?:-[\w=-]+|origin)){0,4} ["']?$|"(?:[A-Z]:|[~.]{1,2})?[/\\][^"\n;&|]* $/u;
