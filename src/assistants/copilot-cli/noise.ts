import type { Noise } from '../form/index.ts';

export const noise: Noise = { elements: 'current_datetime current_date attached_files attachments' };
