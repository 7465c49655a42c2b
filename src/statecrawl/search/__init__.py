"""Search over states: documents, the index of each crawl, queries, ranking, results."""
