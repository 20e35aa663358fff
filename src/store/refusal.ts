/** A file or a request that cannot be used: one sentence for the person who typed it. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Somebody else is at work: the same request may be granted a little later. */
export class Busy extends Refusal {}

/** A source that is what it should be, and says nothing yet. */
export class NoRows extends Refusal {}
