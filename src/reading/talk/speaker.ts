type Role = 'user' | 'assistant';

/** How every summary of a message begins. */
export function leadOf(role: Role): string {
  return role === 'user' ? 'The user said: ' : 'The assistant said: ';
}

/** How the summary of a note begins: an assistant's is its claim, by its name. */
export function noteLead(role: Role, client: string): string {
  const assistant = client === 'generic' || client === 'unknown' ? 'an assistant' : client;
  return `Note by ${role === 'user' ? 'the user' : assistant}: `;
}

/** The same without it, where who spoke is shown otherwise. */
export function withoutLead(text: string, role: Role | null | undefined): string {
  const lead = leadOf(role ?? 'user');
  return text.startsWith(lead) ? text.slice(lead.length) : text;
}
