/** Words of the house as a sentence: with a capital, and a full stop. What begins with a name of lower case is a sentence, too. */
export function sentence(words: string): string {
  const first = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…。！？]$/.test(first) || !first ? first : `${first}${/[\u4e00-\u9fff]$/.test(first) ? '。' : '.'}`;
}
