// What `--config` names: the skill, with the provider that PROVIDER_URL says.
import { chargeOrder } from './charge-order.ts';
import { defineConfig } from './repertoire.ts';

const { PROVIDER_URL = 'http://127.0.0.1:7400/charges' } = process.env;

export default defineConfig({ skills: [chargeOrder(PROVIDER_URL)] });
