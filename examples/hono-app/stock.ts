// What the shop has in stock, and two typed skills over it. A stand-in: a real one would ask a database.
import { z } from 'zod';
import { defineSkill, failure } from './repertoire.ts';

export type Stock = Map<string, number>;

export const createStock = (): Stock =>
  new Map([
    ['apple', 12],
    ['pear', 0],
  ]);

const article = z.string().min(1).max(80);
const count = z.number().int().min(0).max(1_000_000);

export const countStock = (stock: Stock) =>
  defineSkill({
    name: 'count_stock',
    description: 'Says how many of an article are in stock.',
    category: 'execution',
    input: z.object({ article }),
    output: z.object({ article, count }),
    failureModes: ['NOT_FOUND'],
    timeoutSeconds: 5,
    annotations: { readOnly: true, openWorld: false },
    run: ({ article }) => {
      const count = stock.get(article);
      return count === undefined ? failure('NOT_FOUND', { resource: `article ${article}` }) : { article, count };
    },
  });

/** For one agent alone: callers over HTTP are another, and are refused. */
export const correctStock = (stock: Stock) =>
  defineSkill({
    name: 'correct_stock',
    description: 'Sets how many of an article are in stock, after somebody has counted them.',
    category: 'execution',
    assignedTo: ['StockKeeper'],
    input: z.object({ article, count }),
    output: z.object({ article, count }),
    run: ({ article, count }) => {
      stock.set(article, count);
      return { article, count };
    },
  });
