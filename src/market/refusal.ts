/**
 * Something a person asked for that cannot be done. The message is one sentence for that person:
 * what is wrong, the value seen and a good example; never a path of the machine or a stack.
 */
export class Refusal extends Error {}
