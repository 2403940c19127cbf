// A failure as every operation answers it (H3).
import { FAILURE_CODES } from '../skills/define/failure.ts';
import { choice, exactly, record, text } from './shape.ts';

export const failureCode = choice(FAILURE_CODES);

export const severity = choice(['recoverable', 'fatal']);

export const correlationId = text({ format: 'uuid', wanted: 'a UUID' }).about('The id to quote when asking about it');

export const failure = record({
  success: exactly(false),
  failure_code: failureCode,
  failure_message: text(),
  severity,
  suggested_action: text(),
  correlation_id: correlationId,
})
  .about('What went wrong and what to do about it')
  .named('Failure');
