/** The dealer books of which levels are published, as `book_basis` names them. */
export const BOOKS = ['measured', 'vol', 'oi'] as const

export type Book = (typeof BOOKS)[number]
