import { describe, expect, it } from 'vitest';
import { redact, redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

/** As a message is read. */
const said = (text: string) => redactText(text, undefined, true);

const words = ['Quince', 'Lantern'] as const;
const signed = `${words[0]}#${words[1]}${fill('digit', 2, 4)}`;
const joined = `${words[0]}-${words[1]}${fill('digit', 2, 7)}`;
const weak = `${words.join('').toLowerCase()}${fill('digit', 4, 3)}`;
const leet = 'Qu1nceLantern';

describe('a password that no noun names', () => {
  it.each([
    'same as before, %',
    'so: root % on both machines, and no, it never changed',
    'I was told it is "%" since the move.',
    'the printer has its own account (scan / %) now',
    'What do they use for the demo?\n%',
    '> what did he write?\n> %, nothing else',
    '- relay: needs a user now, switched to %\n- bump the mailer',
    '// until Friday the relay wants % here',
    'jetzt gilt überall %, sag es weiter',
    'zaloguj się jako kasia, %, i sprawdź kolejkę',
    '登录后台用 ops,%,然后把缓存清掉',
    '管理画面には suzuki と % で入れます',
    '서버에는 deploy / % 로 들어가서 확인해 줘',
  ])('is seen by its form in %j', (sentence) => {
    for (const value of [signed, joined, leet]) {
      const { text } = said(sentence.replace('%', value));
      expect(text).toBe(sentence.replace('%', '<redacted:password>'));
      expect(said(text).redactions).toBe(0);
    }
  });

  it('is seen with a year behind a percent sign', () => {
    const value = `${words[0].toLowerCase()}%${fill('digit', 4, 3)}`;
    expect(said(`to log in I typed ${value} again`).text).not.toContain(value);
  });

  it.each([
    'sign in as qa with % and export the list',
    'the guest wifi is Nook and you get on with %',
    'user: bob, account on the box, and then %',
    'connecte-toi avec lucas et %, port 2222',
    'entra al panel con soporte y %, luego mira los logs',
    'the new pass will be % from noon on',
    'set up the relay and use % as pass',
    'entra no painel com deploy e %, depois reinicia',
    'зайди под deploy и %, перезапусти воркер',
  ])('is seen by the words around it in %j', (sentence) => {
    const { text } = said(sentence.replace('%', weak));
    expect(text).toBe(sentence.replace('%', '<redacted:password>'));
  });

  it.each([
    ['the keypad is %, then the hash key', '48213'],
    ['la alarma del almacén se desactiva con %', '9034'],
    ['am Türcode hat sich was geändert, jetzt %', '5590#'],
    ['my locker combination % is in the old note', '22-08-35'],
  ])('of digits is seen near what it opens in %j', (sentence, value) => {
    expect(said(sentence.replace('%', value)).text).toBe(sentence.replace('%', '<redacted:password>'));
  });

  it.each([
    `const wanted = new Map([["a", "${signed}"]]);`,
    `+  expect(screen).toShow("${signed}");`,
    `| ${words[0]} | ${signed} |`,
    `{"note": "${signed}"}`,
    `2026-01-01T00:00:00Z worker ${signed} took 12 ms`,
    `the list is now ${weak}`,
    'I used Claude-Sonnet-4 and GPT-4o for the login page',
    'log in and open the board K8s_Overview-v3, it says E_INVALID#17',
    'sign in with OAuth2.0 as lena@nook.example on Debian-12 or Galaxy_S24',
    'the account page calls signIn2() in src/Login_2024/Form.tsx and Array#flatMap2',
    'the admin page is built by React18+Vite5 and user_profile_2',
    'the door sensor reads 3391 mV and the alarm was seen in 2024',
    'I switched to claude-3-5-sonnet@20241022 for the account summaries',
    'it let me in with AES-256-GCM and TLSv1.3',
    'the login returns a `Lazy&lt;Session&gt;` and the account `Map&lt;Id,User&gt;` at last',
    'all 31 tests pass\n- the rest is silenced with `lint:disable-for-next-line`',
    'checks pass), then closed (harbour-4te.1) and (what-the-plan-says',
    'the page opens with `fix/31-register-the-style` on the board',
    'sign in: `http2session.localSettings` holds total%100, `IP%scope` and vm.runIn*Context',
    'to log in I ran the filter "FullName~A_login_needs_one_word" again',
    'the session of the worker is qN8rT2vW5yZ1bD4fH7jK',
    `cd "/home/ann/projects/Tin ${joined}; git add -A; git commit -m 'Fix the door'`,
    `cd "/home/ann/projects/Tin ${joined}" && git commit -m "Fix the door of the car"`,
    `look into the folder Tin ${joined} and say what is in it`,
    `check out the branch ${joined} and rebase it, then push the result`,
    `git checkout ${joined} && git rebase main`,
    `I renamed the directory to "Tin ${joined}" yesterday`,
    `the pictures are in "/srv/old pictures/Tin ${joined}" since yesterday`,
  ])('is not seen in %j', (text) => {
    expect(said(text)).toEqual({ text, redactions: 0, kinds: {} });
  });
});

describe('the name of a file or branch', () => {
  it.each([
    'the password of the file % was sent yesterday',
    'the folder needs % before you can read it',
    'log in at the branch %, it is the usual one',
    'cd app; git commit -m "The panel takes % as always"',
  ])('is none in %j', (sentence) => {
    expect(said(sentence.replace('%', joined)).text).toBe(sentence.replace('%', '<redacted:password>'));
  });
});

describe('what a tool has read or written', () => {
  const expectClean = (sentence: string, value: string, kind: string): void => {
    const [said = '', clean = ''] = [value, `<redacted:${kind}>`].map((one) => sentence.replaceAll('%', one));
    expect(redact({ output: said, content: said }).value).toEqual({ output: clean, content: clean });
  };

  it.each([
    'log in as kasia / %',
    '# creds: ops %',
    ' * the login is kim:% on the box',
    'connecte-toi avec lucas et %',
    '登录: ops / %',
    'when asked for the password, type %',
  ])('has a password near words for logging in: %j', (sentence) => {
    expectClean(sentence, `${words[0]}_${words[1]}${fill('digit', 4, 6)}`, 'password');
  });

  it.each(["here's the token\n%\n", 'The new secret\n```\n%\n```', 'Here are the keys:\n1. %\n2. %'])(
    'has a key below its noun: %j',
    (sentence) => {
      expectClean(sentence, `Qx7${fill('alnum', 21, 5)}8kZ`, 'secret');
    },
  );
});
