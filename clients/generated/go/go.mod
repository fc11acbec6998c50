module example.org/reader

go 1.19

require example.org/generated v0.0.0

replace example.org/generated => ./generated
