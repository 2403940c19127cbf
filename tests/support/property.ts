// Property tests with one seed, so that every run of `npm test` tries the same cases. PROPERTY_SEED chooses others:
// a number repeats a run, `random` looks further (`npm run faults` does).
import fc from 'fast-check';

const given = process.env.PROPERTY_SEED;
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given ?? 20_261_115) });

export default fc;
