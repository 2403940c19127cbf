// PostgreSQL holds the tables that the seed describes, to the letter; further columns and indexes may stand beside them (X7).
import { beforeAll, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { invocationOf, logRun } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
let place: StorePlace;
beforeAll(async () => {
  place = await world.place('postgres');
  await world.open(place).migrate();
});

const columns = {
  skill_invocations: {
    id: 'uuid not null gen_random_uuid()',
    skill_name: 'character varying(64) not null',
    invoking_agent: 'character varying(64) not null',
    correlation_id: 'uuid not null',
    input_payload: 'jsonb not null',
    status: "character varying(20) not null 'pending'::character varying",
    created_at: 'timestamp with time zone not null now()',
  },
  skill_results: {
    id: 'uuid not null gen_random_uuid()',
    invocation_id: 'uuid not null',
    success: 'boolean not null',
    output_payload: 'jsonb',
    failure_code: 'character varying(50)',
    failure_message: 'text',
    failure_details: 'jsonb',
    duration_ms: 'integer not null',
    created_at: 'timestamp with time zone not null now()',
  },
};

test.each(Object.entries(columns))('%s has its columns, types and defaults (X7)', async (table, wanted) => {
  const rows = await world.query(
    place,
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
       pg_get_expr(d.adbin, d.adrelid) AS preset
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = '${table}'::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const found = Object.fromEntries(
    rows.map(({ name, type, required, preset }) => [
      name,
      [type, required ? 'not null' : undefined, preset].filter((part) => part != null).join(' '),
    ]),
  );
  expect(found).toMatchObject(wanted);
});

test('keys, the unique constraint, the reference and the named indexes are there (X7)', async () => {
  const constraints = await world.query(
    place,
    `SELECT conname, pg_get_constraintdef(oid) AS text FROM pg_constraint
     WHERE conrelid IN ('skill_invocations'::regclass, 'skill_results'::regclass) AND contype IN ('p', 'u', 'f')`,
  );
  expect(Object.fromEntries(constraints.map(({ conname, text }) => [conname, text]))).toEqual({
    skill_invocations_pkey: 'PRIMARY KEY (id)',
    skill_results_pkey: 'PRIMARY KEY (id)',
    unique_invocation_result: 'UNIQUE (invocation_id)',
    skill_results_invocation_id_fkey: 'FOREIGN KEY (invocation_id) REFERENCES skill_invocations(id)',
  });
  const indexes = await world.query(place, "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'");
  const definitions = Object.fromEntries(indexes.map(({ indexname, indexdef }) => [indexname, String(indexdef)]));
  for (const [name, column] of Object.entries({
    idx_skill_invocations_skill_name: 'skill_name',
    idx_skill_invocations_correlation_id: 'correlation_id',
    idx_skill_invocations_created_at: 'created_at',
    idx_skill_results_success: 'success',
    idx_skill_results_failure_code: 'failure_code',
  })) {
    expect(definitions[name]).toMatch(new RegExp(`USING btree \\(${column}\\)$`));
  }
});

test("tables that were made from the seed's text are taken over with their rows (X7)", async () => {
  const taken = await world.place('postgres');
  await world.query(
    taken,
    `CREATE TABLE skill_invocations (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), skill_name VARCHAR(64) NOT NULL,
       invoking_agent VARCHAR(64) NOT NULL, correlation_id UUID NOT NULL, input_payload JSONB NOT NULL,
       status VARCHAR(20) NOT NULL DEFAULT 'pending', created_at TIMESTAMPTZ NOT NULL DEFAULT NOW());
     INSERT INTO skill_invocations (skill_name, invoking_agent, correlation_id, input_payload)
       VALUES ('old', 'TaskAgent', gen_random_uuid(), '{}')`,
  );
  const { invocations } = world.open(taken);
  await logRun(invocations, invocationOf({ skillName: 'fresh' }));
  const listed = await invocations.list({ limit: 10 });
  expect(listed.invocations.map(({ invocation }) => [invocation.skillName, invocation.status])).toEqual([
    ['old', 'pending'],
    ['fresh', 'completed'],
  ]);
  // By its name: who called was not recorded (J2).
  expect(listed.invocations[0]?.invocation).not.toHaveProperty('ownerKey');
});
