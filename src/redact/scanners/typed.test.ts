import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { redact, redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

const password = `Cedar8${fill('digit', 3, 2)}!${fill('lower', 2, 4)}`;
const key = fill('alnum', 32, 3);

describe('what is typed into a field that something else names', () => {
  it.each<Json>([
    { text: password, locator: 'input[type=password]' },
    { element: 'Champ « Mot de passe »', ref: 'e7', text: password },
    { fields: [{ placeholder: 'New passphrase', value: password }] },
    { uid: '3_12', name: 'Kennwort', characters: password },
    { xpath: "//input[@id='api_key']", keys: key },
    { question: 'Which access token shall I use?', answer: key },
    { steps: [{ target: '#user_password', typed: password }] },
  ])('in %j', (value) => {
    expect(redact(value).redactions).toBe(1);
  });

  it.each([
    ...["page.fill('#pwd', '%')", "await page.locator('input[name=\"password\"]').pressSequentially('%')"],
    ...['driver.find_element(By.ID, "passwd").send_keys("%")', "fill_in 'Password', with: '%'"],
    ...['await userEvent.type(screen.getByLabelText(/password/i), "%")', "$('#user_password').setValue('%')"],
    ...['{"element": "Password field", "ref": "e3", "text": "%"}', '{"value": "%", "label": "Passwort"}'],
    ...[String.raw`{\"answer\": \"%\", \"question\": \"Password?\"}`],
  ])('%s', (text) => {
    const { text: seen } = redactText(text.replace('%', password));
    expect(seen.replace(/<redacted:\w+>/, '%')).toBe(text);
  });

  it.each([
    "page.fill('#email', 'kim2024@example.com')",
    "await page.getByLabel('Password').fill(process.env.PASSWORD2)",
    "await page.getByLabel('Password').fill('wrong')",
    '{"question": "Which hash for passwords?", "answer": "argon2id"}',
    '{"title": "Password flow", "content": "docs/password2.md"}',
    '{"type": "text", "text": "v2.3.1", "id": "token-1"}',
    "cy.get('#password').type('{enter}')",
  ])('leaves %j', (text) => {
    expect(redactText(text).text).toBe(text);
  });
});
