@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b0
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  store i8 0, ptr %t1, align 1
  %t2 = getelementptr i8, ptr %b, i32 9
  %t3 = getelementptr i8, ptr %b, i32 4
  %t4 = load i32, ptr %t3, align 4
  %t5 = sext i32 %t4 to i64
  %t6 = icmp sge i64 %t5, -128
  %t7 = icmp sle i64 %t5, 127
  %t8 = and i1 %t6, %t7
  br i1 %t8, label %ok.9, label %bad.10, !prof !0
bad.10:
  call void @lf_fault(ptr %b, i8 zeroext 2, i16 zeroext 0, i32 %t4, i32 0) #1
  unreachable
ok.9:
  %t11 = trunc i32 %t4 to i8
  store i8 %t11, ptr %t2, align 1
  br label %b2
b1:
  %t12 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t12, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b2:
  %t13 = getelementptr i8, ptr %b, i32 8
  %t14 = load i8, ptr %t13, align 1
  %t15 = getelementptr i8, ptr %b, i32 9
  %t16 = load i8, ptr %t15, align 1
  %t17 = icmp sle i8 %t14, %t16
  br i1 %t17, label %b3, label %b5
b3:
  %t18 = getelementptr i8, ptr %b, i32 4
  %t19 = load i32, ptr %t18, align 4
  %t20 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %t19, i32 1)
  %t21 = extractvalue { i32, i1 } %t20, 0
  %t22 = extractvalue { i32, i1 } %t20, 1
  %t23 = xor i1 %t22, true
  br i1 %t23, label %ok.24, label %bad.25, !prof !0
bad.25:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 1, i32 %t19, i32 1) #1
  unreachable
ok.24:
  store i32 %t21, ptr %t18, align 4
  %t26 = getelementptr i8, ptr %b, i32 8
  %t27 = load i8, ptr %t26, align 1
  %t28 = icmp sle i8 %t27, 126
  br i1 %t28, label %b4, label %b5
b4:
  %t29 = getelementptr i8, ptr %b, i32 8
  %t30 = load i8, ptr %t29, align 1
  %t31 = add i8 %t30, 1
  store i8 %t31, ptr %t29, align 1
  %t32 = getelementptr i8, ptr %b, i32 -4
  %t33 = load i32, ptr %t32, align 4
  %t34 = icmp ne i32 %t33, 0
  br i1 %t34, label %ok.35, label %bad.36, !prof !0
bad.36:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.35:
  %t37 = sub i32 %t33, 1
  store i32 %t37, ptr %t32, align 4
  br label %b2
b5:
  %t38 = getelementptr i8, ptr %b, i32 9
  store i8 0, ptr %t38, align 1
  %t39 = getelementptr i8, ptr %b, i32 4
  %t40 = load i32, ptr %t39, align 4
  %t43 = sub i32 %t40, 10
  %t44 = icmp ule i32 %t43, 80
  br i1 %t44, label %b7, label %outside.42
outside.42:
  switch i32 %t40, label %other.41 [ i32 1, label %b6 ]
other.41:
  call void @lf_fault(ptr %b, i8 zeroext 5, i16 zeroext 3, i32 %t40, i32 0) #1
  unreachable
b6:
  %t45 = getelementptr i8, ptr %b, i32 4
  store i32 2, ptr %t45, align 4
  br label %b1
b7:
  %t46 = getelementptr i8, ptr %b, i32 4
  store i32 3, ptr %t46, align 4
  br label %b1
}
