import { keepOwnRights } from '#core/platform';
import { runMain } from './run-main.ts';

keepOwnRights();
void runMain('mem', process.argv.slice(2));
