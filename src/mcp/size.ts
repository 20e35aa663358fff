/**
 * How large an answer may be. Tokens are counted as bytes of UTF-8 over three, which is more than
 * any tokenizer in use makes of JSON.
 */

const BYTES_OF_TOKEN = 3
/** Of one answer as JSON, unless its smallest form is larger. */
const ANSWER_TOKENS = 8_000
/** Of a whole result, which has that JSON twice: as an object and as text. */
const RESULT_TOKENS_MAX = 20_000

/** Tokens of a text, at most. */
const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN)

/** Whether a value is small enough to be an answer, and its result to be told. */
export function fits(value: unknown): boolean {
  const text = JSON.stringify(value)
  return (
    tokensOf(text) <= ANSWER_TOKENS &&
    // braces around the two, and what a revision of the protocol adds
    tokensOf(text) + tokensOf(JSON.stringify(text)) + 200 <= RESULT_TOKENS_MAX
  )
}

/** The answer with as many of the rows as fit, the first ones. Null where not even one does. */
export function cutByRows<Row, Answer>(
  rows: readonly Row[],
  answerOf: (told: readonly Row[]) => Answer,
): Answer | null {
  const whole = answerOf(rows)
  if (fits(whole)) return whole
  let [low, high] = [0, rows.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(answerOf(rows.slice(0, middle)))) low = middle
    else high = middle
  }
  return low === 0 ? null : answerOf(rows.slice(0, low))
}
