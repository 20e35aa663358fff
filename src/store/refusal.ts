/** A file or a request that cannot be used: one sentence for the person who typed it. */
export class Refusal extends Error {
  override name = 'Refusal'
}
