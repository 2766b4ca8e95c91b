export const PHRASES = `
hang up: end complete call
thumbs up: reaction emoji
out of office: vacation automatic reply
`;
