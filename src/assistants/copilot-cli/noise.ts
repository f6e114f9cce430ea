import { type NoiseRule, named } from '../form/index.ts';

export const noise: readonly NoiseRule[] = [
  {
    form: 'element',
    match: named('current_datetime current_date attached_files attachments'),
  },
];
