// The body of `match_payment`. JavaScript, because Node 20 loads no TypeScript.

/**
 * @param {{ payment_cents: number, open_invoices: readonly { id: string, total_cents: number }[] }} input
 */
export default function matchPayment({ payment_cents, open_invoices }) {
  const chosen = findSubset(open_invoices, payment_cents, 0);
  return { matched: chosen !== undefined, invoice_ids: chosen ?? [] };
}

/**
 * Tries every choice: each further invoice doubles the time.
 * @returns {string[] | undefined}
 */
function findSubset(invoices, rest, from) {
  if (rest === 0) return [];
  for (let index = from; index < invoices.length; index++) {
    const { id, total_cents } = invoices[index];
    const others = total_cents > rest ? undefined : findSubset(invoices, rest - total_cents, index + 1);
    if (others !== undefined) return [id, ...others];
  }
  return undefined;
}
