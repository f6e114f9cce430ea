// The page of a session in a real browser, and the answers that it asks for.
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';

const firstSteps = 60;
const furtherSteps = 300;

/** Null where none starts. */
export async function openBrowser() {
  try {
    const executablePath = process.env.MEMD_TEST_BROWSER ?? (await sparticuz.executablePath());
    return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  } catch (error) {
    console.log(`no page: ${error.message.split('\n')[0]}`);
    return null;
  }
}

/** Null for a build whose page shows no sessions one by one. */
export async function openPage(browser, place, session) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(place.memd('web', '--print').trim());
  await page.locator('.lamp-live').waitFor();
  const answers = () => page.evaluate(askedIn, { session, firstSteps, furtherSteps });
  if (!(await answers())) return null;
  return {
    answers,
    leave: async () => {
      await page.evaluate(`location.hash = '#/projects'`);
      await page.locator('.project').first().waitFor();
    },
    /** In ms, by the page's own clock. */
    header: () => page.evaluate(headerIn, session),
  };
}

/** Runs in the page: opens the session, until its header is whole. */
function headerIn(session) {
  const began = performance.now();
  location.hash = `#/session?session=${session}`;
  return new Promise((resolve) => {
    const look = () => {
      const isWhole = document.querySelector('.session-head:not(.is-growing)') !== null;
      if (isWhole && document.querySelector('.session-view') !== null) resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Runs in the page: asks for all steps as the page does. */
async function askedIn({ session, firstSteps, furtherSteps }) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem('memd.token')}` };
  for (let after = ''; ; ) {
    const limit = after === '' ? firstSteps : furtherSteps;
    const of = new URLSearchParams({ id: session, limit: String(limit), ...(after !== '' && { after }) });
    const response = await fetch(`/api/session?${of}`, { headers });
    if (!response.ok) return false;
    const { last, isEnd } = await response.json();
    if (isEnd) return true;
    after = last;
  }
}
