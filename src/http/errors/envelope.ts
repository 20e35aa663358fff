/** What a body says of an error; a product's envelope decides where each part of it stands. */
export type ErrorParts = {
  /** Stable, for programs. */
  readonly code: string
  /** In words, for people. */
  readonly message: string
  readonly extras: Readonly<Record<string, unknown>>
}

export type Envelope = (parts: ErrorParts) => object

/** Of the products with codes: `{"error":{"code","message"}}`, the extras beside the code. */
export const codedEnvelope: Envelope = ({ code, message, extras }) => ({
  error: { code, message, ...extras },
})

/** Of the others: `{"error":"sentence"}`, the extras beside it; the time to wait is a header. */
export const sentenceEnvelope: Envelope = ({ message, extras }) => {
  const { retry_after_s: _, ...others } = extras
  return { error: message, ...others }
}
