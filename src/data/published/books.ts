/** The dealer books of which levels are published, as `book_basis` names them. */
export const BOOKS = ['measured', 'vol', 'oi'] as const

export type Book = (typeof BOOKS)[number]

/** Makes one value per book. */
export const byBook = <Value>(make: (book: Book) => Value): Readonly<Record<Book, Value>> =>
  Object.fromEntries(BOOKS.map(book => [book, make(book)])) as Record<Book, Value>
