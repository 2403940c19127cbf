// Types of things: tasks, and those that the configuration adds (B1, B4).
import { describe, expect, test } from 'vitest';
import { definitionJson } from '../../skills/define/registered-skill.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { TaskStore } from '../ports/task-store.ts';
import { ownershipValidation } from './ownership-validation.ts';

const ADA = '550e8400-e29b-41d4-a716-446655440000';
const BILL = '550e8400-e29b-41d4-a716-446655440001';

const find = async (userId: string, id: string) => (userId === ADA && id === BILL ? ({} as never) : undefined);
const tasks = { find } as unknown as TaskStore;

function open(ownership?: Ownership) {
  const lines: object[] = [];
  const skill = ownershipValidation(tasks, ownership);
  const runtime = createRuntime({ skills: [skill], log: (line) => lines.push(line) });
  const ask = (resource_type: unknown, resource_id = BILL) =>
    runtime.invoke({ name: 'ownership_validation', input: { user_id: ADA, resource_type, resource_id } });
  return { runtime, lines, ask };
}

const invoices: Ownership = { invoice: (userId, id) => userId === ADA && id === BILL, room: async () => false };

describe('ownership_validation', () => {
  test.each([
    ['task', BILL, true],
    ['task', ADA, false],
    ['invoice', BILL, true],
    ['invoice', ADA, false],
    ['room', BILL, false],
  ])('of a %s with the id %s: %s (B1, M14)', async (type, id, is_owner) => {
    expect(await open(invoices).ask(type, id)).toMatchObject({
      outputPayload: { is_owner, resource_type: type, resource_id: id },
    });
  });

  test.each(['Task', 'tsk', '', 'constructor', '__proto__', 7, 'x'.repeat(500)])(
    'refuses the type %j, naming those that there are (B4, M14)',
    async (type) => {
      expect(await open(invoices).ask(type)).toMatchObject({
        failure: {
          code: 'VALIDATION_ERROR',
          message: 'Input validation failed: resource_type: is not known here: known are task, invoice, room',
        },
      });
    },
  );

  test('publishes the types that there are (B4)', () => {
    const skill = open(invoices).runtime.find('ownership_validation');
    expect(skill && definitionJson(skill).input_schema).toMatchObject({
      properties: { resource_type: { enum: ['task', 'invoice', 'room'] } },
    });
  });

  test.each([
    ['throws', () => Promise.reject(new Error('the ledger is closed'))],
    ['gives no truth value', () => 1 as unknown as boolean],
  ])('a check of the configuration that %s is INTERNAL_ERROR, and a line in the log (X4)', async (_what, room) => {
    const { ask, lines } = open({ room });
    expect(await ask('room')).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(lines)).toMatch(/the ledger is closed|gave no truth value/);
  });
});
